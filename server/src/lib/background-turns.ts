import type { Clock } from "./clock.ts";

/** Callers count as active for this long after their last request. */
const ACTIVE_MS = 25;
/** Between the starts of two pieces of background work while callers are active. */
const INTERVAL_MS = 20;

/**
 * Lets background work wait for callers (decision 0178). While requests of callers arrive, pieces of work start one after
 * the other, an interval apart. Otherwise they start immediately.
 */
export class BackgroundTurns {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #requestedAt = Number.NEGATIVE_INFINITY;
  #startedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A caller's request arrived. */
  noteRequest(): void {
    this.#requestedAt = this.#clock.monotonic();
  }

  /** Resolves when a piece of background work can start. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (this.#waiting.length === 1) this.#startWaiting();
    return promise;
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0) {
      const now = this.#clock.monotonic();
      const isActive = now - this.#requestedAt < ACTIVE_MS;
      const waitMs = isActive ? this.#startedAt + INTERVAL_MS - now : 0;
      if (waitMs > 0) {
        this.#clock.after(waitMs, () => this.#startWaiting());
        return;
      }
      this.#startedAt = now;
      this.#waiting.shift()?.();
    }
  }
}
