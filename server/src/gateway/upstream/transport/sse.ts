/**
 * Reads an event stream as it arrives, in whatever pieces (WHATWG "server-sent events"): CR, LF and CRLF end lines, a
 * leading BOM and comments are skipped, several data lines are joined by LF. `message` events are handed on as bytes,
 * others only to those who ask for them; an event with empty data primes the stream with an id and says nothing.
 */
const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = Buffer.from("\n");

/** Charged for each piece held, so that a stream of tiny pieces cannot cost far more memory than it has bytes. */
export const PIECE_COST = 64;

/**
 * A piece to hold on to. A small part of what was read at once is copied: it would keep all of that in memory, which
 * nobody counts, such as comments between the lines of an event (GW-10).
 */
export function keepable(piece: Buffer): Buffer {
  return piece.length * 4 < piece.buffer.byteLength ? Buffer.from(piece) : piece;
}

export class SseOverflow extends Error {}

export class SseParser {
  /** For `Last-Event-ID`; undefined until the stream names an event. */
  lastEventId: string | undefined;
  /** How long the server wants us to wait before we come back. */
  retryMs: number | undefined;

  readonly #maxEventBytes: number;
  readonly #onMessage: (data: Buffer) => void;
  readonly #onOther: ((type: string, data: Buffer) => void) | undefined;
  /** Pieces of the line that has not ended yet. */
  #line: Buffer[] = [];
  #data: Buffer[] = [];
  /** Bytes held for the event that has not ended yet. */
  #held = 0;
  #eventId: string | undefined;
  #eventType = "";
  #afterCr = false;
  #firstLine = true;

  constructor(
    maxEventBytes: number,
    onMessage: (data: Buffer) => void,
    onOther?: (type: string, data: Buffer) => void,
  ) {
    this.#maxEventBytes = maxEventBytes;
    this.#onMessage = onMessage;
    this.#onOther = onOther;
  }

  /** Throws `SseOverflow` when one event outgrows the cap. */
  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    let at = this.#afterCr && chunk[0] === LF ? 1 : 0;
    // Each is searched again only when passed, so that a flood of one kind costs no more than its bytes (GW-8).
    let cr = chunk.indexOf(CR, at);
    let lf = chunk.indexOf(LF, at);
    for (let end = nearer(cr, lf); end !== -1; end = nearer(cr, lf)) {
      this.#endLine(chunk.subarray(at, end));
      at = end === cr && chunk[end + 1] === LF ? end + 2 : end + 1;
      if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
      if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
    }
    this.#afterCr = chunk[chunk.length - 1] === CR;
    if (at < chunk.length) this.#hold(this.#line, chunk.subarray(at));
  }

  #hold(list: Buffer[], bytes: Buffer): void {
    this.#held += bytes.length + PIECE_COST;
    if (this.#held > this.#maxEventBytes) throw new SseOverflow();
    list.push(keepable(bytes));
  }

  #endLine(rest: Buffer): void {
    let line = rest;
    if (this.#line.length > 0) {
      for (const piece of this.#line) this.#held -= piece.length + PIECE_COST;
      line = Buffer.concat([...this.#line, rest]);
      this.#line = [];
    }
    if (this.#firstLine) {
      this.#firstLine = false;
      if (line.subarray(0, 3).equals(BOM)) line = line.subarray(3);
    }
    if (line.length === 0) this.#endEvent();
    else if (line[0] !== COLON) this.#field(line);
  }

  #field(line: Buffer): void {
    const colon = line.indexOf(COLON);
    const name = line.toString("latin1", 0, colon === -1 ? line.length : colon);
    const value =
      colon === -1 ? line.subarray(line.length) : line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    if (name === "data") this.#hold(this.#data, value);
    else if (name === "event") this.#eventType = value.toString("utf8");
    else if (name === "id" && !value.includes(0)) this.#eventId = value.toString("utf8");
    else if (name === "retry" && /^\d{1,9}$/.test(value.toString("latin1")))
      this.retryMs = Number(value.toString("latin1"));
  }

  #endEvent(): void {
    const data = this.#data;
    const type = this.#eventType;
    this.#data = [];
    this.#held = 0;
    this.#eventType = "";
    this.lastEventId = this.#eventId ?? this.lastEventId;
    const message = type === "" || type === "message";
    if (!message && !this.#onOther) return;
    const whole = data.length === 1 && data[0] ? data[0] : joinLines(data);
    if (whole.length === 0) return;
    if (message) this.#onMessage(whole);
    else this.#onOther?.(type, whole);
  }
}

function nearer(one: number, other: number): number {
  if (one === -1) return other;
  return other === -1 ? one : Math.min(one, other);
}

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [NEWLINE, line])));
}
