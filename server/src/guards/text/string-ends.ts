/** Most strings are short: a native search costs more than comparing this many bytes. */
const NEAR_BYTES = 32;

export interface StringEnd {
  /** Position of the closing quote. */
  readonly end: number;
  readonly escaped: boolean;
}

/** Finds the ends of strings in JSON text whose syntax is valid. Positions only increase, so all searches are linear. */
export class StringEnds {
  readonly #bytes: Buffer;
  /** The next quote and backslash at or after the last position that was searched from. */
  #quote = -1;
  #backslash = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** `start` is after the opening quote. */
  endOf(start: number): StringEnd {
    const bytes = this.#bytes;
    let escaped = false;
    let at = start;
    let near = start + NEAR_BYTES;
    while (at < bytes.length) {
      if (at >= near) {
        at = this.#next(at);
        near = at + NEAR_BYTES;
      }
      const byte = bytes[at];
      if (byte === 0x22) break;
      if (byte === 0x5c) {
        escaped = true;
        near = at + NEAR_BYTES;
        at++;
      }
      at++;
    }
    return { end: Math.min(at, bytes.length), escaped };
  }

  #next(from: number): number {
    if (this.#quote < from) this.#quote = this.#search(0x22, from);
    if (this.#backslash < from) this.#backslash = this.#search(0x5c, from);
    return Math.min(this.#quote, this.#backslash);
  }

  #search(byte: number, from: number): number {
    const found = this.#bytes.indexOf(byte, from);
    return found < 0 ? this.#bytes.length : found;
  }
}
