import type { Exchange } from "./exchange.ts";

/** Bounds what the requests that are under way hold in memory together; beyond it new ones are told to come back. */
export class InFlightBytes {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes room until the exchange is over; false when there is none. */
  take(bytes: number, exchange: Exchange): boolean {
    if (this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    exchange.onOver(() => {
      this.#held -= bytes;
    });
    return true;
  }
}
