import type { Clock } from "./clock.ts";
import { evictOldest } from "./evict-oldest.ts";
import { networkOf } from "./network-of.ts";

const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Counts failures per address and minute, or events of other keys in other windows. Many callers can share an address, so
 * its limit must never apply to a valid credential (D8). Uses the monotonic clock, so that changing the system clock does
 * not lift it.
 */
export class FailedAttempts {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #onFailure: (() => void) | undefined;
  readonly #windows = new Map<string, { since: number; count: number }>();

  constructor(clock: Clock, most: number, onFailure?: () => void, windowMs = MINUTE_MS) {
    this.#clock = clock;
    this.#most = most;
    this.#windowMs = windowMs;
    this.#onFailure = onFailure;
  }

  /** Seconds until this address can try again; undefined if it can try now. */
  retryAfter(address: string): number | undefined {
    const window = this.#windows.get(networkOf(address));
    if (!window || window.count < this.#most) return undefined;
    const left = window.since + this.#windowMs - this.#clock.monotonic();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }

  /** Counts a failure. Returns the seconds until this address can try again, if it had reached the limit before. */
  countFailure(address: string): number | undefined {
    const seconds = this.retryAfter(address);
    this.failed(address);
    return seconds;
  }

  failed(address: string): void {
    this.#onFailure?.();
    const now = this.#clock.monotonic();
    const network = networkOf(address);
    const window = this.#windows.get(network);
    if (window && now - window.since < this.#windowMs) {
      window.count++;
      return;
    }
    this.#windows.delete(network);
    this.#windows.set(network, { since: now, count: 1 });
    evictOldest(this.#windows, MAX_ADDRESSES);
  }
}
