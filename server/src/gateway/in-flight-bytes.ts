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

  /** False when there is no room left. What was taken is given back by the same exchange, when it is over. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
