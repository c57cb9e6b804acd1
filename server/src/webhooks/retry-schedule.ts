const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delays between attempts, 24 hours in total. The first retry comes within 10 seconds. */
const DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  1 * HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  10 * HOUR_MS,
];
export const MOST_ATTEMPTS_PER_ROUND = DELAYS_MS.length + 1;
const MAX_RETRY_AFTER_MS = HOUR_MS;

/**
 * The delay before the next attempt, or undefined if there is none. `random` is between 0 and 1 and spreads the retries of
 * many deliveries by 20%. A receiver can delay the next attempt by up to an hour with `Retry-After`.
 */
export function retryDelayMs(failedAttempts: number, random: number, retryAfterMs = 0): number | undefined {
  const delayMs = DELAYS_MS[failedAttempts - 1];
  if (delayMs === undefined) return undefined;
  return Math.round(Math.max(delayMs * (0.8 + 0.4 * random), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}

/** Seconds only: clocks differ too much for a date. */
export function readRetryAfterMs(header: string | readonly string[] | undefined): number {
  return typeof header === "string" && /^\d{1,6}$/.test(header) ? Number(header) * SECOND_MS : 0;
}
