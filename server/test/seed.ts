/** The seed of a randomized test: new each time, printed, and set by `FC_SEED` to repeat a run. */
export function seedFor(test: { diagnostic(message: string): void }): number {
  const seed = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));
  test.diagnostic(`FC_SEED=${seed} repeats this run`);
  return seed;
}

/** mulberry32: sufficient randomness for delays, and repeatable. */
export class SeededRandom {
  #state = 0;

  seed(seed: number): void {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
