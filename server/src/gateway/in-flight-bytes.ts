import type { Exchange } from "./exchange.ts";

/** What one exchange holds in memory; given back when it is over. */
export interface Room {
  /** False when there is none left. */
  take(bytes: number): boolean;
}

/**
 * Bounds what the requests that are under way hold in memory together; beyond it new ones are told to come back. Bodies
 * count as they arrive, so that many slow ones cannot hold more than few fast ones.
 */
export class InFlightBytes {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  roomFor(exchange: Pick<Exchange, "onOver">): Room {
    let taken = 0;
    let over = false;
    exchange.onOver(() => {
      over = true;
      this.#held -= taken;
    });
    return {
      take: (bytes) => {
        if (over || this.#held + bytes > this.#limit) return false;
        this.#held += bytes;
        taken += bytes;
        return true;
      },
    };
  }
}
