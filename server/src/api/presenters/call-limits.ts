import { z } from "zod";
import { SETTINGS } from "#records/settings";
import type { CallLimitColumns } from "#storage/limit-tables";

const descriptions = {
  calls_per_minute: "Maximum calls per minute; null: no limit",
  concurrent_calls: "Maximum concurrent calls; null: no limit",
};

/** Decision 0077. */
export const CallLimits = z
  .object({
    calls_per_minute: z.int().nullable().meta({ description: descriptions.calls_per_minute, example: 60 }),
    concurrent_calls: z.int().nullable().meta({ description: descriptions.concurrent_calls, example: null }),
  })
  .meta({ id: "CallLimits", description: "Limits of calls. Each process of Gatehouse counts separately" });

function limit(name: keyof CallLimitColumns) {
  const { maximum } = SETTINGS[`user_${name}`];
  const error = `must be between 1 and ${maximum}, or null`;
  return z
    .int({ error: "must be an integer or null" })
    .min(1, { error })
    .max(maximum, { error })
    .nullable()
    .optional()
    .describe(`${descriptions[name]}. Unchanged if omitted`);
}

export const callLimitFields = {
  calls_per_minute: limit("calls_per_minute"),
  concurrent_calls: limit("concurrent_calls"),
};

export const CallLimitsBody = z.object(callLimitFields, { error: "must be an object or null" });

export function presentCallLimits({ calls_per_minute, concurrent_calls }: CallLimitColumns): CallLimitColumns {
  return { calls_per_minute, concurrent_calls };
}

export const NO_CALL_LIMITS: CallLimitColumns = { calls_per_minute: null, concurrent_calls: null };

/** Merges key by key. `null` removes one limit, or both if it replaces the object. */
export function mergeCallLimits(
  before: CallLimitColumns,
  changes: z.output<typeof CallLimitsBody> | null | undefined,
): CallLimitColumns {
  if (changes === null) return NO_CALL_LIMITS;
  const { calls_per_minute = before.calls_per_minute, concurrent_calls = before.concurrent_calls } = changes ?? {};
  return { calls_per_minute, concurrent_calls };
}
