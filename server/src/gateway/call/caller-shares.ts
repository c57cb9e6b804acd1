import type { Clock } from "#lib/clock";
import type { Limits } from "../snapshot/limits.ts";

/** What one user has under way, and may still begin in this minute. */
export interface CallerShare {
  underWay: number;
  calls: number;
  countedAt: number;
}

const MINUTE_MS = 60_000;
const KEPT_SHARES = 10_000;

/** D36, GW-16: nobody takes the gateway for themselves. A call costs one look and a few comparisons. */
export class CallerShares {
  readonly #clock: Clock;
  readonly #shares = new Map<string, CallerShare>();
  #roomFor = KEPT_SHARES;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The user's share, with one more call under way; or why there may be none, in words. */
  take(userId: string, limits: Limits): CallerShare | { readonly refusal: string; readonly retrySeconds: number } {
    const share = this.#shares.get(userId) ?? this.#newShare(userId);
    const most = limits.userConcurrentCalls;
    if (share.underWay >= most) {
      return { refusal: `Too many calls at once: ${share.underWay} of yours are under way`, retrySeconds: 1 };
    }
    const perMinute = limits.userCallsPerMinute;
    if (perMinute > 0 && !this.#count(share, perMinute)) {
      const retrySeconds = Math.ceil(60 / perMinute);
      return {
        refusal: `Too many calls: ${perMinute} a minute are allowed; try again in ${retrySeconds} s`,
        retrySeconds,
      };
    }
    share.underWay++;
    return share;
  }

  /** A bucket that holds a minute's calls and is filled evenly. */
  #count(share: CallerShare, perMinute: number): boolean {
    const now = this.#clock.monotonic();
    const freed = ((now - share.countedAt) / MINUTE_MS) * perMinute;
    share.calls = Math.max(0, share.calls - freed);
    share.countedAt = now;
    if (share.calls + 1 > perMinute) return false;
    share.calls++;
    return true;
  }

  /** Kept from call to call; what nobody needs goes when there are too many. */
  #newShare(userId: string): CallerShare {
    if (this.#shares.size >= this.#roomFor) this.#forgetIdle();
    const share = { underWay: 0, calls: 0, countedAt: this.#clock.monotonic() };
    this.#shares.set(userId, share);
    return share;
  }

  #forgetIdle(): void {
    const now = this.#clock.monotonic();
    for (const [userId, { underWay, countedAt }] of this.#shares) {
      if (underWay === 0 && now - countedAt >= MINUTE_MS) this.#shares.delete(userId);
    }
    this.#roomFor = Math.max(KEPT_SHARES, 2 * this.#shares.size);
  }
}
