import type { Clock } from "#lib/clock";

/** The time for an examination is up. */
export class TimeUp extends Error {
  constructor() {
    super("the time for the examination is up");
    this.name = "TimeUp";
  }
}

/** Stops synchronous work. One examination runs at a time, so a set of guards has one deadline. */
export class Deadline {
  readonly #clock: Clock;
  #until = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(limitMs: number): void {
    this.#until = this.#clock.monotonic() + limitMs;
  }

  check(): void {
    if (this.#clock.monotonic() > this.#until) throw new TimeUp();
  }
}
