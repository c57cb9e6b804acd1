/**
 * Limits the total memory that requests in progress hold; new requests over the limit are rejected. Bodies count as
 * they arrive, so many slow ones cannot hold more than a few fast ones.
 */
export class InFlightBytes {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns false when no memory is left. The exchange releases what it took when it is over. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
