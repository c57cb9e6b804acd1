import { z } from "zod";
import { SETTINGS } from "#records/settings";
import type { StoredServerLimits } from "#storage/server-tables";

type LimitName = keyof StoredServerLimits;

const words: Readonly<Record<LimitName, string>> = {
  concurrent_calls: "How many calls go to it at once",
  queued_calls: "How many more wait for their turn",
  queue_seconds: "For how many seconds they wait",
  failures_until_pause: "After how many failures in a row it is left alone for a while",
  pause_seconds: "For how many seconds it is left alone",
  first_byte_seconds: "After how many seconds without a first byte of its answer a call is given up",
  idle_seconds: "After how many seconds of silence within an answer a call is given up",
  total_seconds: "After how many seconds a call is given up in any case",
};

function forEachLimit<Value>(make: (name: LimitName) => Value): Record<LimitName, Value> {
  const names = Object.keys(words) as LimitName[]; // the keys of a constant
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<LimitName, Value>; // one for each
}

/** Only those that were set. */
export const ServerLimits = z.object(forEachLimit((name) => z.int().optional().describe(words[name]))).meta({
  id: "ServerLimits",
  description: "Limits of this server alone; those that are missing are as in the settings",
});

/** Bounds are those of the settings. */
export const ServerLimitsBody = z.object(
  forEachLimit((name) => {
    const { minimum, maximum } = SETTINGS[`server_${name}`];
    const error = `must be between ${minimum} and ${maximum}`;
    return z
      .int({ error: "must be an integer" })
      .min(minimum, { error })
      .max(maximum, { error })
      .nullish()
      .describe(`${words[name]}; null: as in the settings`);
  }),
  { error: "must be an object" },
);

/** Key by key; null clears one, and null in place of the object all. */
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
