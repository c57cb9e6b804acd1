const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Shipping never gives up, because the log keeps the records. */
const DELAYS_MS = [5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS] as const;
const LONGEST_MS = 5 * MINUTE_MS;
const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;

/** `random` is between 0 and 1. A receiver can delay the next attempt by up to an hour with `Retry-After`. */
export function retryDelayMs(failures: number, random: number, retryAfterMs: number): number {
  const delayMs = DELAYS_MS[failures - 1] ?? LONGEST_MS;
  return Math.round(Math.max(delayMs * (0.8 + 0.4 * random), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}
