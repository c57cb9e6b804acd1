/**
 * An incremental parser for server-sent events (WHATWG HTML, "Server-sent events"). Lines end with CR, LF or CRLF, a
 * leading BOM and comments are skipped, and several data lines are joined with LF. An event with empty data only sets
 * the last event id, so it is not delivered.
 */
const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = Buffer.from("\n");

/** Added to the size of each buffered chunk, so that many tiny chunks count as the memory they use. */
export const CHUNK_OVERHEAD = 64;

/**
 * Copies a small slice of a large buffer before it is kept: a slice would retain the whole buffer, which no limit counts
 * (GW-10).
 */
export function detachSmallSlice(chunk: Buffer): Buffer {
  return chunk.length * 4 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk;
}

export class SseOverflow extends Error {}

export class SseParser {
  /** The value for `Last-Event-ID`; undefined until the stream sends an id. */
  lastEventId: string | undefined;
  /** The reconnection delay that the server requested. */
  retryMs: number | undefined;

  readonly #maxEventBytes: number;
  readonly #onMessage: (data: Buffer) => void;
  readonly #onOther: ((type: string, data: Buffer) => void) | undefined;
  /** Chunks of the incomplete line. */
  #line: Buffer[] = [];
  #data: Buffer[] = [];
  /** Bytes buffered for the incomplete event. */
  #bufferedBytes = 0;
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

  /** Throws `SseOverflow` when an event exceeds `maxEventBytes`. */
  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    let at = this.#afterCr && chunk[0] === LF ? 1 : 0;
    // Each position is searched again only after it is passed, so the total cost is linear in the input (GW-8).
    let cr = chunk.indexOf(CR, at);
    let lf = chunk.indexOf(LF, at);
    for (let end = firstOf(cr, lf); end !== -1; end = firstOf(cr, lf)) {
      this.#endLine(chunk.subarray(at, end));
      at = end === cr && chunk[end + 1] === LF ? end + 2 : end + 1;
      if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
      if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
    }
    this.#afterCr = chunk[chunk.length - 1] === CR;
    if (at < chunk.length) this.#buffer(this.#line, chunk.subarray(at));
  }

  #buffer(list: Buffer[], bytes: Buffer): void {
    this.#bufferedBytes += bytes.length + CHUNK_OVERHEAD;
    if (this.#bufferedBytes > this.#maxEventBytes) throw new SseOverflow();
    list.push(detachSmallSlice(bytes));
  }

  #endLine(rest: Buffer): void {
    let line = rest;
    if (this.#line.length > 0) {
      for (const chunk of this.#line) this.#bufferedBytes -= chunk.length + CHUNK_OVERHEAD;
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
    if (name === "data") this.#buffer(this.#data, value);
    else if (name === "event") this.#eventType = value.toString("utf8");
    else if (name === "id" && !value.includes(0)) this.#eventId = value.toString("utf8");
    else if (name === "retry" && /^\d{1,9}$/.test(value.toString("latin1")))
      this.retryMs = Number(value.toString("latin1"));
  }

  #endEvent(): void {
    const data = this.#data;
    const type = this.#eventType;
    this.#data = [];
    this.#bufferedBytes = 0;
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

function firstOf(one: number, other: number): number {
  if (one === -1) return other;
  return other === -1 ? one : Math.min(one, other);
}

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [NEWLINE, line])));
}
