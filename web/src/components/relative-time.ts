const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** Each unit is used up to, but not including, `until`. Days run to a year, so that "in 90 days" stays exact. */
const UNITS = [
  { until: HOUR_MS, ms: MINUTE_MS, short: "m", long: "minute" },
  { until: DAY_MS, ms: HOUR_MS, short: "h", long: "hour" },
  { until: 2 * YEAR_MS, ms: DAY_MS, short: "d", long: "day" },
  { until: Number.POSITIVE_INFINITY, ms: YEAR_MS, short: "y", long: "year" },
] as const;

/** "2h ago" for the past, rounded down, and "in 3 days" for the future, rounded to the nearest unit. */
export function formatRelativeTime(at: number, now: number): string {
  const difference = at - now;
  if (Math.abs(difference) < MINUTE_MS) return difference > 0 ? "in less than a minute" : "just now";
  return difference < 0 ? formatPast(-difference) : formatFuture(difference);
}

function formatPast(ms: number): string {
  const unit = UNITS.find(({ until }) => ms < until) ?? UNITS[3];
  return `${Math.floor(ms / unit.ms)}${unit.short} ago`;
}

function formatFuture(ms: number): string {
  // Rounding can reach the next unit: 59.7 minutes are "in 1 hour".
  const unit = UNITS.find((each) => Math.round(ms / each.ms) * each.ms < each.until) ?? UNITS[3];
  const count = Math.round(ms / unit.ms);
  return `in ${count} ${unit.long}${count === 1 ? "" : "s"}`;
}
