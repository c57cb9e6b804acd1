import type { Clock } from "#lib/clock";

/** A worker that ran for longer than this before it ended is not part of a crash loop. */
const STEADY_MS = 60_000;
const MAX_ENDS = 5;
const FIRST_DELAY_MS = 100;
const DELAY_FACTOR = 4;

/** Decides when a worker that ended starts again: with a growing delay, until it ends too often. */
export class Restarts {
  readonly #clock: Clock;
  readonly #ends = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The delay before the next start; undefined if the worker is in a crash loop. */
  delayAfterEnd(number: number, startedAt: number): number | undefined {
    const wasSteady = this.#clock.monotonic() - startedAt > STEADY_MS;
    const ends = wasSteady ? 1 : (this.#ends.get(number) ?? 0) + 1;
    this.#ends.set(number, ends);
    return ends >= MAX_ENDS ? undefined : FIRST_DELAY_MS * DELAY_FACTOR ** (ends - 1);
  }
}
