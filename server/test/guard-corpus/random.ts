/** Random choices with a fixed seed, so that the corpus is the same in every run (mulberry32). */
export class CorpusRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }

  text(alphabet: string, length: number): string {
    let text = "";
    for (let at = 0; at < length; at++) text += alphabet[this.integer(0, alphabet.length - 1)];
    return text;
  }

  digits(length: number): string {
    return this.text("0123456789", length);
  }
}

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const ALNUM = `${LETTERS}${LETTERS.toLowerCase()}0123456789`;
export const HEX = "0123456789abcdef";
