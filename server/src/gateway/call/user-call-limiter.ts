import type { Clock } from "#lib/clock";
import type { Limits } from "../snapshot/limits.ts";

/** The calls of one user: in flight now, and counted against the rate limit. */
export interface UserCalls {
  inFlight: number;
  calls: number;
  countedAt: number;
}

const MINUTE_MS = 60_000;
const MIN_CAPACITY = 10_000;

/**
 * D36, GW-16: limits per user, so that no user can take all of the gateway's capacity. Checking is cheap: one map
 * lookup and a few comparisons.
 */
export class UserCallLimiter {
  readonly #clock: Clock;
  readonly #users = new Map<string, UserCalls>();
  #capacity = MIN_CAPACITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one more call in flight for the user, or returns why the call is rejected, as text for the caller. */
  take(userId: string, limits: Limits): UserCalls | { readonly refusal: string; readonly retrySeconds: number } {
    const entry = this.#users.get(userId) ?? this.#add(userId);
    const maxConcurrent = limits.userConcurrentCalls;
    if (entry.inFlight >= maxConcurrent) {
      return { refusal: `Too many concurrent calls: ${entry.inFlight} of your calls are in progress`, retrySeconds: 1 };
    }
    const perMinute = limits.userCallsPerMinute;
    if (perMinute > 0 && !this.#count(entry, perMinute)) {
      const retrySeconds = Math.ceil(60 / perMinute);
      return {
        refusal: `Too many calls: the limit is ${perMinute} per minute; try again in ${retrySeconds} s`,
        retrySeconds,
      };
    }
    entry.inFlight++;
    return entry;
  }

  /** A token bucket with the capacity of one minute, refilled evenly. */
  #count(entry: UserCalls, perMinute: number): boolean {
    const now = this.#clock.monotonic();
    const freed = ((now - entry.countedAt) / MINUTE_MS) * perMinute;
    entry.calls = Math.max(0, entry.calls - freed);
    entry.countedAt = now;
    if (entry.calls + 1 > perMinute) return false;
    entry.calls++;
    return true;
  }

  /** Entries are kept between calls; idle ones are removed when there are too many. */
  #add(userId: string): UserCalls {
    if (this.#users.size >= this.#capacity) this.#removeIdle();
    const entry = { inFlight: 0, calls: 0, countedAt: this.#clock.monotonic() };
    this.#users.set(userId, entry);
    return entry;
  }

  #removeIdle(): void {
    const now = this.#clock.monotonic();
    for (const [userId, { inFlight, countedAt }] of this.#users) {
      if (inFlight === 0 && now - countedAt >= MINUTE_MS) this.#users.delete(userId);
    }
    this.#capacity = Math.max(MIN_CAPACITY, 2 * this.#users.size);
  }
}
