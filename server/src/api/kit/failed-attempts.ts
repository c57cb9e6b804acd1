import type { Clock } from "#lib/clock";
import { evictOldest } from "#lib/evict-oldest";
import { networkOf } from "#lib/network-of";

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/**
 * D8: an address that presents too many wrong credentials in a minute is answered without a look at the database until
 * the minute is over. Missing credentials never count. Counts by the monotonic clock, so a stepped clock frees nobody.
 */
export class FailedAttempts {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #told: (() => void) | undefined;
  readonly #windows = new Map<string, { since: number; count: number }>();

  constructor(clock: Clock, perMinute: number, told?: () => void) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#told = told;
  }

  /** Seconds until this address may try again; undefined: now. */
  retryAfter(address: string): number | undefined {
    const window = this.#windows.get(networkOf(address));
    if (!window || window.count < this.#perMinute) return undefined;
    const left = window.since + WINDOW_MS - this.#clock.monotonic();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }

  failed(address: string): void {
    this.#told?.();
    const now = this.#clock.monotonic();
    const network = networkOf(address);
    const window = this.#windows.get(network);
    if (window && now - window.since < WINDOW_MS) {
      window.count++;
      return;
    }
    this.#windows.delete(network);
    this.#windows.set(network, { since: now, count: 1 });
    evictOldest(this.#windows, MOST_ADDRESSES);
  }
}
