const LF = 0x0a;
const CR = 0x0d;
/** What is kept of both ends of a line that is too long. */
const EDGE_BYTES = 256;
/** A line this many times too long is taken for one that never ends. */
const ENDLESS = 4;
const NOTHING = Buffer.alloc(0);

/** A line that is not handed on. It is told of when it passes the cap, and once more when it ends or goes on for ever. */
export interface LongLine {
  readonly head: Buffer;
  /** Its last bytes; undefined while it goes on. */
  readonly tail: Buffer | undefined;
  readonly endless: boolean;
}

/** Cuts a stream of bytes into lines. Of one beyond the cap only the edges are kept. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onLong: (line: LongLine) => void;
  /** The line that has not ended yet. It grows by doubling: neither many small pieces nor a long line cost more than their bytes. */
  #held = NOTHING;
  #length = 0;
  /** How much of a line beyond the cap has passed; 0: there is none. */
  #passed = 0;
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
    if (at < chunk.length) this.#hold(chunk.subarray(at));
  }

  #endLine(rest: Buffer): void {
    if (this.#passed === 0 && this.#length === 0 && rest.length <= this.#maxBytes) return this.#tell(rest);
    this.#hold(rest);
    if (this.#passed > 0) {
      if (this.#passed <= ENDLESS * this.#maxBytes) this.#tellLong(false);
      this.#passed = 0;
      return;
    }
    const line = this.#held.subarray(0, this.#length);
    this.#held = NOTHING;
    this.#length = 0;
    this.#tell(line);
  }

  #tell(line: Buffer): void {
    const text = line.at(-1) === CR ? line.subarray(0, -1) : line;
    if (text.length > 0) this.#onLine(text);
  }

  #hold(piece: Buffer): void {
    if (this.#passed > 0) return this.#pass(piece);
    const length = this.#length + piece.length;
    if (length > this.#maxBytes) return this.#startPassing(piece);
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(length, this.#held.length * 2), this.#maxBytes));
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    piece.copy(this.#held, this.#length);
    this.#length = length;
  }

  #startPassing(piece: Buffer): void {
    const start = this.#held.subarray(0, this.#length);
    this.#head = Buffer.concat([start.subarray(0, EDGE_BYTES), piece.subarray(0, EDGE_BYTES)]).subarray(0, EDGE_BYTES);
    this.#tail = Buffer.from(start.subarray(-EDGE_BYTES));
    this.#passed = this.#length;
    this.#held = NOTHING;
    this.#length = 0;
    this.#onLong({ head: this.#head, tail: undefined, endless: false });
    this.#pass(piece);
  }

  #pass(piece: Buffer): void {
    const limit = ENDLESS * this.#maxBytes;
    const before = this.#passed;
    this.#passed += piece.length;
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
    if (before <= limit && this.#passed > limit) this.#tellLong(true);
  }

  #tellLong(endless: boolean): void {
    this.#onLong({ head: this.#head, tail: this.#tail, endless });
  }
}
