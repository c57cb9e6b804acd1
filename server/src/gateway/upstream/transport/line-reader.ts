const LF = 0x0a;
const CR = 0x0d;
/** How much of both ends of a line that is too long is kept. */
const EDGE_BYTES = 256;
/** A line longer than this many times the limit is treated as endless. */
const ENDLESS_FACTOR = 4;
const NOTHING = Buffer.alloc(0);

/** A line that is too long to deliver. Reported when it passes the limit, and again when it ends or is endless. */
export interface LongLine {
  readonly head: Buffer;
  /** Its last bytes; undefined while it continues. */
  readonly tail: Buffer | undefined;
  readonly endless: boolean;
}

/** Splits a byte stream into lines. Only the ends of a line that is too long are kept. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onLong: (line: LongLine) => void;
  /** The incomplete line. It grows by doubling, so the cost is linear in the input. */
  #buffered = NOTHING;
  #length = 0;
  /** The current length of a line that is too long; 0: there is none. */
  #skipped = 0;
  #head = NOTHING;
  #tail = NOTHING;

  constructor(maxBytes: number, onLine: (line: Buffer) => void, onLong: (line: LongLine) => void = () => {}) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
    this.#onLong = onLong;
  }

  push(chunk: Buffer): void {
    let at = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, at)) {
      this.#endLine(chunk.subarray(at, end));
      at = end + 1;
    }
    if (at < chunk.length) this.#buffer(chunk.subarray(at));
  }

  #endLine(rest: Buffer): void {
    if (this.#skipped === 0 && this.#length === 0 && rest.length <= this.#maxBytes) return this.#deliver(rest);
    this.#buffer(rest);
    if (this.#skipped > 0) {
      if (this.#skipped <= ENDLESS_FACTOR * this.#maxBytes) this.#reportLong(false);
      this.#skipped = 0;
      return;
    }
    const line = this.#buffered.subarray(0, this.#length);
    this.#buffered = NOTHING;
    this.#length = 0;
    this.#deliver(line);
  }

  #deliver(line: Buffer): void {
    const text = line.at(-1) === CR ? line.subarray(0, -1) : line;
    if (text.length > 0) this.#onLine(text);
  }

  #buffer(piece: Buffer): void {
    if (this.#skipped > 0) return this.#skip(piece);
    const length = this.#length + piece.length;
    if (length > this.#maxBytes) return this.#startSkipping(piece);
    if (length > this.#buffered.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(length, this.#buffered.length * 2), this.#maxBytes));
      this.#buffered.copy(larger, 0, 0, this.#length);
      this.#buffered = larger;
    }
    piece.copy(this.#buffered, this.#length);
    this.#length = length;
  }

  #startSkipping(piece: Buffer): void {
    const start = this.#buffered.subarray(0, this.#length);
    this.#head = Buffer.concat([start.subarray(0, EDGE_BYTES), piece.subarray(0, EDGE_BYTES)]).subarray(0, EDGE_BYTES);
    this.#tail = Buffer.from(start.subarray(-EDGE_BYTES));
    this.#skipped = this.#length;
    this.#buffered = NOTHING;
    this.#length = 0;
    this.#onLong({ head: this.#head, tail: undefined, endless: false });
    this.#skip(piece);
  }

  #skip(piece: Buffer): void {
    const limit = ENDLESS_FACTOR * this.#maxBytes;
    const before = this.#skipped;
    this.#skipped += piece.length;
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
    if (before <= limit && this.#skipped > limit) this.#reportLong(true);
  }

  #reportLong(endless: boolean): void {
    this.#onLong({ head: this.#head, tail: this.#tail, endless });
  }
}
