const LF = 0x0a;
const CR = 0x0d;

/** Cuts a stream of bytes into lines. One beyond the cap is left out up to its end. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: Buffer) => void;
  #held: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(maxBytes: number, onLine: (line: Buffer) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** True when a line just turned out to be too long. */
  push(chunk: Buffer): boolean {
    let tooLong = false;
    let at = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, at)) {
      tooLong = this.#hold(chunk.subarray(at, end)) || tooLong;
      this.#endLine();
      at = end + 1;
    }
    if (at < chunk.length) tooLong = this.#hold(chunk.subarray(at)) || tooLong;
    return tooLong;
  }

  #hold(piece: Buffer): boolean {
    if (this.#skipping) return false;
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) {
      this.#held.push(piece);
      return false;
    }
    this.#held = [];
    this.#skipping = true;
    return true;
  }

  #endLine(): void {
    const line = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held);
    const whole = !this.#skipping;
    this.#held = [];
    this.#bytes = 0;
    this.#skipping = false;
    const text = line.at(-1) === CR ? line.subarray(0, -1) : line;
    if (whole && text.length > 0) this.#onLine(text);
  }
}
