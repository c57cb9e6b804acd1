import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { formatRelativeTime } from "./relative-time.ts";

const MINUTE_MS = 60_000;
const exact = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long", hourCycle: "h23" });

/** "2h ago", with the full date and time in a tooltip. Null: never. */
export function TimeAgo({ time, never = "Never" }: { time: string | null; never?: string }) {
  const now = useMinute();
  if (time === null) return <span>{never}</span>;
  const at = new Date(time);
  return (
    <Tooltip label={exact.format(at)}>
      <time dateTime={time}>{formatRelativeTime(at.getTime(), now)}</time>
    </Tooltip>
  );
}

/** The current time, rounded up to the minute, so that all labels change together and recent times are not in the future. */
function useMinute(): number {
  return useSyncExternalStore(onMinute, () => Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS);
}

function onMinute(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE_MS / 4);
  return () => clearInterval(timer);
}
