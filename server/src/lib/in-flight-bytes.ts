/** No payer takes more than this share, unless with a single request. */
const PAYER_SHARE = 1 / 4;

/**
 * Limits the memory that requests in progress hold, in total and per payer: the user or address that sent them. What exceeds
 * a limit is rejected. Bodies count as they arrive, so many slow ones cannot hold more than a few fast ones.
 */
export class InFlightBytes {
  readonly #limit: number;
  readonly #payerLimit: number;
  readonly #byPayer = new Map<string, number>();
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#payerLimit = limit * PAYER_SHARE;
  }

  /** Returns false when no memory is left. `heldByRequest` is what the same request holds already. */
  take(payer: string, bytes: number, heldByRequest: number): boolean {
    const heldByPayer = this.#byPayer.get(payer) ?? 0;
    const isWithinShare = heldByPayer + bytes <= this.#payerLimit || heldByPayer === heldByRequest;
    if (!isWithinShare || this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    this.#byPayer.set(payer, heldByPayer + bytes);
    return true;
  }

  giveBack(payer: string, bytes: number): void {
    if (bytes === 0) return;
    this.#held -= bytes;
    const left = (this.#byPayer.get(payer) ?? 0) - bytes;
    if (left > 0) this.#byPayer.set(payer, left);
    else this.#byPayer.delete(payer);
  }
}
