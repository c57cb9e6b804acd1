import { StopFinder } from "./next-stop.ts";
import { JsonFault } from "./scan.ts";
import { byteAt, INCOMPLETE, type TokenReader } from "./token-reader.ts";

/**
 * Most strings are short: this many bytes are checked one by one before the vectorized search is worth its overhead.
 */
const NEAR_BYTES = 24;
/** A backslash was read, and its escape character comes next. Positive values: number of hexadecimal digits left. */
const ESCAPED = -1;

/** The quote, the backslash, and control characters. */
const ENDS_PLAIN_TEXT = new Uint8Array(256).fill(1, 0, 0x20);
ENDS_PLAIN_TEXT[0x22] = 1;
ENDS_PLAIN_TEXT[0x5c] = 1;
const MAY_BE_ESCAPED = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrtu')) MAY_BE_ESCAPED[byte] = 1;
const IS_HEX = new Uint8Array(256);
for (const byte of Buffer.from("0123456789abcdefABCDEF")) IS_HEX[byte] = 1;

/** RFC 8259 section 7. */
export class StringReader implements TokenReader {
  readonly #stops = new StopFinder();
  #pendingEscape = 0;

  /** Must be called when a chunk is done. */
  release(): void {
    this.#stops.release();
  }

  read(chunk: Buffer, at: number, base: number): number {
    const near = Math.min(chunk.length, at + 1 + NEAR_BYTES);
    let next = at + 1;
    while (next < near && byteAt(ENDS_PLAIN_TEXT, byteAt(chunk, next)) === 0) next++;
    if (next < near && byteAt(chunk, next) === 0x22) return next + 1;
    return this.#rest(chunk, next, base);
  }

  resume(chunk: Buffer, base: number): number {
    return this.#rest(chunk, this.#pendingEscape === 0 ? 0 : this.#escape(chunk, 0, base), base);
  }

  #rest(chunk: Buffer, from: number, base: number): number {
    let at = from;
    while (at < chunk.length) {
      at = this.#stops.next(chunk, at);
      if (at === chunk.length) break;
      const byte = byteAt(chunk, at);
      if (byte === 0x22) return at + 1;
      if (byte !== 0x5c) throw new JsonFault("malformed", base + at);
      this.#pendingEscape = ESCAPED;
      at = this.#escape(chunk, at + 1, base);
    }
    return INCOMPLETE;
  }

  /** Returns the position after the escape whose next byte is at `from`; missing bytes of the escape stay pending. */
  #escape(chunk: Buffer, from: number, base: number): number {
    let at = from;
    let pending = this.#pendingEscape;
    if (pending === ESCAPED && at < chunk.length) {
      const byte = byteAt(chunk, at);
      if (byteAt(MAY_BE_ESCAPED, byte) === 0) throw new JsonFault("malformed", base + at);
      pending = byte === 0x75 ? 4 : 0;
      at++;
    }
    for (; pending > 0 && at < chunk.length; pending--, at++) {
      if (byteAt(IS_HEX, byteAt(chunk, at)) === 0) throw new JsonFault("malformed", base + at);
    }
    this.#pendingEscape = pending;
    return at;
  }
}
