import { z } from "zod";
import { SETTINGS } from "#records/settings";
import type { StoredServerLimits } from "#storage/server-tables";

type LimitName = keyof StoredServerLimits;

const descriptions: Readonly<Record<LimitName, string>> = {
  concurrent_calls: "Maximum number of concurrent calls",
  queued_calls: "Maximum number of queued calls",
  queue_seconds: "Seconds a call waits in the queue",
  failures_until_pause: "Consecutive failures before calls to the server are paused",
  pause_seconds: "Longest pause in seconds. A trial call is sent after 1, 2, 4 and so on up to this",
  first_byte_seconds: "Seconds to wait for the first byte of the response",
  idle_seconds: "Seconds without data before a response is aborted",
  total_seconds: "Maximum duration of a call in seconds",
};

function forEachLimit<Value>(make: (name: LimitName) => Value): Record<LimitName, Value> {
  const names = Object.keys(descriptions) as LimitName[]; // the keys of a constant
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<LimitName, Value>; // every name has a value
}

export const ServerLimits = z.object(forEachLimit((name) => z.int().optional().describe(descriptions[name]))).meta({
  id: "ServerLimits",
  description: "Limits of this server. Missing limits use the organization settings",
});

/** The bounds are those of the organization settings. */
export const ServerLimitsBody = z.object(
  forEachLimit((name) => {
    const { minimum, maximum } = SETTINGS[`server_${name}`];
    const error = `must be between ${minimum} and ${maximum}`;
    return z
      .int({ error: "must be an integer" })
      .min(minimum, { error })
      .max(maximum, { error })
      .nullish()
      .describe(`${descriptions[name]}; null uses the organization setting`);
  }),
  { error: "must be an object" },
);

/** What `null` declares. */
export const NO_LIMITS: Readonly<Record<LimitName, null>> = forEachLimit(() => null);

/** Merges key by key. `null` clears one limit, or all if it replaces the object. */
export function mergeLimits(
  before: StoredServerLimits | null | undefined,
  changes: z.output<typeof ServerLimitsBody> | null,
): StoredServerLimits | null {
  if (changes === null) return null;
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name];
    else if (value !== undefined) merged[name] = value;
  }
  return Object.keys(merged).length === 0 ? null : merged;
}
