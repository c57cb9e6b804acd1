import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;
const UNITS: ReadonlyArray<[unit: Intl.RelativeTimeFormatUnit, ms: number]> = [
  ["year", 365 * 24 * 60 * MINUTE_MS],
  ["month", 30 * 24 * 60 * MINUTE_MS],
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** "3 min. ago", with the exact time behind it. Null: never. */
export function TimeAgo({ time, never = "Never" }: { time: string | null; never?: string }) {
  const now = useMinute();
  if (time === null) return <span>{never}</span>;
  const at = new Date(time);
  return (
    <Tooltip label={exact.format(at)}>
      <time dateTime={time}>{timeAgo(at.getTime(), now)}</time>
    </Tooltip>
  );
}

export function timeAgo(at: number, now: number): string {
  const passed = at - now;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(passed) >= ms) return words.format(Math.trunc(passed / ms), unit);
  }
  return passed > 0 ? "in a moment" : "just now";
}

/** The end of the running minute: all labels change at once, and what just happened is never in the future. */
function useMinute(): number {
  return useSyncExternalStore(onMinute, () => Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS);
}

function onMinute(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE_MS / 4);
  return () => clearInterval(timer);
}
