const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const RANGES = ["15m", "1h", "24h", "7d", "30d"] as const;
export type Range = (typeof RANGES)[number];
export const DEFAULT_RANGE: Range = "24h";

const LENGTH_MS: Readonly<Record<Range, number>> = {
  "15m": 15 * MINUTE_MS,
  "1h": HOUR_MS,
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};

export const RANGE_LABELS: Readonly<Record<Range, string>> = {
  "15m": "Last 15 minutes",
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** The time range in the URL: two fixed ends, or relative to now. */
export interface TimeWanted {
  readonly range?: Range | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Parses a time from the URL into ISO 8601. */
export function time(given: string): string | undefined {
  const at = Date.parse(given);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** The ends as API parameters. A range up to now has no end, because the clocks of browser and service can differ. */
export function timeQuery(wanted: TimeWanted, now: number): { from: string; to: string | undefined } {
  const { range = DEFAULT_RANGE, from, to } = wanted;
  if (from !== undefined) return { from, to };
  const end = to === undefined ? now : Date.parse(to);
  return { from: new Date(end - LENGTH_MS[range]).toISOString(), to };
}

interface Steps {
  readonly bucket: keyof typeof STEP_MS;
  /** The number of API points per bar. */
  readonly together: number;
}

const MAX_BARS = 150;
const BUCKETS = [
  { bucket: "minute", ms: MINUTE_MS, together: [1, 2, 5] },
  { bucket: "ten_minutes", ms: 10 * MINUTE_MS, together: [1] },
  { bucket: "hour", ms: HOUR_MS, together: [1, 3, 6, 12] },
] as const;

/** The smallest bars that still fit. */
export function stepsFor(lengthMs: number): Steps {
  for (const { bucket, ms, together } of BUCKETS) {
    const fitting = together.find((count) => lengthMs / (ms * count) <= MAX_BARS);
    if (fitting !== undefined) return { bucket, together: fitting };
  }
  return { bucket: "day", together: Math.max(1, Math.ceil(lengthMs / DAY_MS / MAX_BARS)) };
}

interface Point {
  readonly ts: string;
  readonly calls: number;
  readonly errors: number;
}

/** Chart columns: the start of each bar in epoch seconds, its calls, and its errors. */
export interface Bars {
  readonly at: number[];
  readonly calls: number[];
  readonly errors: number[];
}

/** Bars start at multiples of their length, so that they do not shift over time. */
export function barsOf(series: readonly Point[], barMs: number): Bars {
  const bars: Bars = { at: [], calls: [], errors: [] };
  for (const { ts, calls, errors } of series) {
    const at = Math.floor(Date.parse(ts) / barMs) * (barMs / 1000);
    if (bars.at.at(-1) !== at) {
      bars.at.push(at);
      bars.calls.push(0);
      bars.errors.push(0);
    }
    const last = bars.at.length - 1;
    bars.calls[last] = (bars.calls[last] ?? 0) + calls;
    bars.errors[last] = (bars.errors[last] ?? 0) + errors;
  }
  return bars;
}

const STEP_MS = { minute: MINUTE_MS, ten_minutes: 10 * MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;

export function barLength({ bucket, together }: Steps): number {
  return STEP_MS[bucket] * together;
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const clock = new Intl.DateTimeFormat("en-US", CLOCK);
const dayAndClock = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", ...CLOCK });

/** "Nov 3, 14:02 – 14:40". */
export function formatSpan(from: number, to: number): string {
  const isSameDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${dayAndClock.format(from)} – ${(isSameDay ? clock : dayAndClock).format(to)}`;
}

/** The label of the time range button. */
export function formatRange({ range = DEFAULT_RANGE, from, to }: TimeWanted): string {
  if (from !== undefined && to !== undefined) return formatSpan(Date.parse(from), Date.parse(to));
  if (from !== undefined) return `Since ${dayAndClock.format(Date.parse(from))}`;
  return to === undefined ? RANGE_LABELS[range] : `${RANGE_LABELS[range]} before ${dayAndClock.format(Date.parse(to))}`;
}

/** "14:02", with the date if it is not today. */
export function formatMoment(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dayAndClock).format(at);
}
