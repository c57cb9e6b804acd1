/**
 * Reads the responses of one connection in any chunking: HTTP/1.1 (RFC 9112), strictly. Callers share the connection
 * one after another, so a response whose end is ambiguous is rejected: a wrong guess would give one caller's bytes to
 * the next (GW-3).
 */
import { type AnswerHead, readHead } from "./answer-head.ts";
import { BadAnswer } from "./bad-answer.ts";

export interface AnswerSink {
  head(head: AnswerHead): void;
  data(chunk: Buffer): void;
  /** The response is complete. `clean`: no bytes followed it, so the connection can be reused. */
  end(clean: boolean): void;
}

const MAX_HEAD_BYTES = 32 * 1024;
/** Each interim response resets the idle timeout, so a flood of them could hold a connection forever. */
const MAX_INTERIM_HEADS = 64;
const MAX_CHUNK_LINE_BYTES = 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");
const NOTHING = Buffer.alloc(0);
/** Twelve hexadecimal digits exceed any response and are still exact as a double. */
const CHUNK_SIZE = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;

type State = "idle" | "head" | "fixed" | "until-close" | "chunk-size" | "chunk-data" | "chunk-end" | "trailers";

export class AnswerReader {
  readonly #sink: AnswerSink;
  #state: State = "idle";
  /** The beginning of an incomplete head or line. */
  #held: Buffer = NOTHING;
  #remaining = 0;
  #trailerBytes = 0;
  #interimHeads = 0;
  #whole = false;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** A request has been sent, and its response is expected. */
  expect(): void {
    this.#state = "head";
    this.#interimHeads = 0;
  }

  /** Throws `BadAnswer`; afterwards the connection cannot be used. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#step(rest);
      if (!this.#whole) continue;
      this.#whole = false;
      // Bytes after a response must never be read as the response to the next request.
      this.#sink.end(rest.length === 0);
      return;
    }
  }

  /** The peer closed its side. Returns true if that ends the response. */
  close(): boolean {
    if (this.#state !== "until-close") return false;
    this.#state = "idle";
    this.#sink.end(false);
    return true;
  }

  /** Processes the bytes of the current state and returns the rest. */
  #step(bytes: Buffer): Buffer {
    switch (this.#state) {
      case "fixed":
      case "chunk-data":
        return this.#take(bytes);
      case "head":
        return this.#head(bytes);
      case "until-close":
        this.#sink.data(bytes);
        return NOTHING;
      case "idle":
        throw new BadAnswer("sent bytes that do not belong to a response");
      default:
        return this.#line(bytes);
    }
  }

  #head(bytes: Buffer): Buffer {
    const whole = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const end = whole.indexOf(HEAD_END);
    if (end === -1 ? whole.length > MAX_HEAD_BYTES : end > MAX_HEAD_BYTES) {
      throw new BadAnswer("sent headers that are too large", "too-large");
    }
    this.#held = end === -1 ? whole : NOTHING;
    if (end === -1) return NOTHING;
    const head = readHead(whole.toString("latin1", 0, end));
    // 100 and 103 are interim responses; 101 would switch to another protocol, which is never requested.
    if (head.status >= 200) this.#begin(head);
    else if (head.status === 101) throw new BadAnswer("switched protocols without a request");
    else if (++this.#interimHeads > MAX_INTERIM_HEADS) throw new BadAnswer("sent too many interim responses");
    return whole.subarray(end + HEAD_END.length);
  }

  #begin(head: AnswerHead): void {
    const bodiless = head.status === 204 || head.status === 304;
    this.#sink.head(head);
    if (bodiless || head.length === 0) return this.#finish();
    if (head.length === "chunked") this.#state = "chunk-size";
    else if (head.length === "until-close") this.#state = "until-close";
    else {
      this.#state = "fixed";
      this.#remaining = head.length;
    }
  }

  #take(bytes: Buffer): Buffer {
    const count = Math.min(bytes.length, this.#remaining);
    this.#remaining -= count;
    this.#sink.data(count === bytes.length ? bytes : bytes.subarray(0, count));
    if (this.#remaining === 0) {
      if (this.#state === "fixed") this.#finish();
      else this.#state = "chunk-end";
    }
    return bytes.subarray(count);
  }

  /** The lines of the chunked coding: a size, the end of a chunk, and trailers, which are ignored. */
  #line(bytes: Buffer): Buffer {
    const whole = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const end = whole.indexOf(LINE_END);
    if (end === -1 ? whole.length > MAX_CHUNK_LINE_BYTES : end > MAX_CHUNK_LINE_BYTES) {
      throw new BadAnswer("sent an invalid chunk");
    }
    this.#held = end === -1 ? whole : NOTHING;
    if (end === -1) return NOTHING;
    this.#endLine(whole.toString("latin1", 0, end));
    return whole.subarray(end + LINE_END.length);
  }

  #endLine(line: string): void {
    if (this.#state === "chunk-end") {
      if (line !== "") throw new BadAnswer("sent a chunk longer than announced");
      this.#state = "chunk-size";
    } else if (this.#state === "trailers") {
      this.#trailerBytes += line.length;
      if (this.#trailerBytes > MAX_HEAD_BYTES) throw new BadAnswer("sent trailers that are too large", "too-large");
      if (line === "") this.#finish();
    } else {
      const size = CHUNK_SIZE.exec(line)?.[1];
      if (size === undefined) throw new BadAnswer("sent an invalid chunk");
      this.#remaining = Number.parseInt(size, 16);
      this.#trailerBytes = 0;
      this.#state = this.#remaining === 0 ? "trailers" : "chunk-data";
    }
  }

  #finish(): void {
    this.#state = "idle";
    this.#whole = true;
  }
}
