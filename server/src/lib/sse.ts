/**
 * An incremental parser for server-sent events (WHATWG HTML, "Server-sent events"). Lines end with CR, LF or CRLF, a
 * leading BOM and comments are skipped, and several data lines are joined with LF. An event with empty data only sets
 * the last event id, so it is not delivered.
 */
import { ChunkList } from "./chunk-list.ts";

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = Buffer.from("\n");

export class SseOverflow extends Error {}

export class SseParser {
  /** The value for `Last-Event-ID`; undefined until the stream sends an id. */
  lastEventId: string | undefined;
  /** The reconnection delay that the server requested. */
  retryMs: number | undefined;

  readonly #maxEventBytes: number;
  readonly #onMessage: (data: Buffer) => void;
  readonly #onOther: ((type: string, data: Buffer) => void) | undefined;
  /** The incomplete line. */
  #line = new ChunkList();
  /** The size of the incomplete line if it is a comment, which is not kept. */
  #commentBytes = 0;
  /** The data lines of the incomplete event, joined with LF. */
  #data = new ChunkList();
  #hasData = false;
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

  /** The size of the incomplete event. */
  get pendingBytes(): number {
    return this.#line.bytes + this.#commentBytes + this.#data.bytes;
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
    if (at < chunk.length) this.#keepLine(chunk.subarray(at));
  }

  #keepLine(part: Buffer): void {
    if (this.#commentBytes === 0 && (this.#line.bytes > 0 || part[0] !== COLON)) return this.#buffer(this.#line, part);
    this.#commentBytes += part.length;
    if (this.pendingBytes > this.#maxEventBytes) throw new SseOverflow();
  }

  #buffer(list: ChunkList, bytes: Buffer): void {
    list.push(bytes);
    if (this.pendingBytes > this.#maxEventBytes || list.exceeds(this.#maxEventBytes)) throw new SseOverflow();
  }

  #endLine(rest: Buffer): void {
    if (this.#commentBytes > 0) {
      this.#commentBytes = 0;
      this.#firstLine = false;
      return;
    }
    let line = rest;
    if (this.#line.bytes > 0) {
      this.#line.push(rest);
      line = this.#line.toBuffer();
      this.#line = new ChunkList();
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
    if (name === "data") this.#addData(value);
    else if (name === "event") this.#eventType = value.toString("utf8");
    else if (name === "id" && !value.includes(0)) this.#eventId = value.toString("utf8");
    else if (name === "retry" && /^\d{1,9}$/.test(value.toString("latin1")))
      this.retryMs = Number(value.toString("latin1"));
  }

  #addData(value: Buffer): void {
    if (this.#hasData) this.#buffer(this.#data, NEWLINE);
    this.#hasData = true;
    if (value.length > 0) this.#buffer(this.#data, value);
  }

  #endEvent(): void {
    const data = this.#data;
    const type = this.#eventType;
    if (this.#hasData) this.#data = new ChunkList();
    this.#hasData = false;
    this.#eventType = "";
    this.lastEventId = this.#eventId ?? this.lastEventId;
    const message = type === "" || type === "message";
    if (data.bytes === 0 || (!message && !this.#onOther)) return;
    if (message) this.#onMessage(data.toBuffer());
    else this.#onOther?.(type, data.toBuffer());
  }
}

function firstOf(one: number, other: number): number {
  if (one === -1) return other;
  return other === -1 ? one : Math.min(one, other);
}
