/**
 * A resumable scanner for JSON text (RFC 8259). It builds no objects: it validates the text and reports the positions
 * of the members of watched objects, so that messages are parsed strictly and copied unchanged (GW-6, GW-7, GW-20).
 */
import { LiteralReader } from "./literal-reader.ts";
import { NumberReader } from "./number-reader.ts";
import { JsonFault, type JsonFaultKind, type Scan, type ValueKind } from "./scan.ts";
import { StringReader } from "./string-reader.ts";
import { byteAt, type TokenReader } from "./token-reader.ts";
import { Tracker } from "./tracker.ts";
import { Utf8Check } from "./utf8.ts";
import type { WatchPlan } from "./watch-plan.ts";

export interface ScannerOptions {
  readonly watch: WatchPlan;
  /** Default: no limit. */
  readonly maxDepth?: number;
  /** In the whole text. Default: no limit. */
  readonly maxKeys?: number;
}

// What may come next. Defined here rather than in a separate module because V8 folds constants of the same module but
// loads imported ones at each use, which makes the token loop 50% slower.
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const COLON = 4;
const AFTER_MEMBER = 5;
const AFTER_ELEMENT = 6;
const AFTER_TEXT = 7;
const EXPECTATIONS = 8;

// How the next byte is handled; 0 rejects it.
const SKIP = 1;
const READ_KEY = 2;
const READ_STRING = 3;
const READ_NUMBER = 4;
const READ_LITERAL = 5;
const PASS_COLON = 6;
const NEXT_MEMBER = 7;
const NEXT_ELEMENT = 8;
const OPEN_OBJECT = 9;
const OPEN_ARRAY = 10;
const CLOSE = 11;

/** The action for a byte is at index `(expected << 8) | byte`. */
const ACTIONS = new Uint8Array(EXPECTATIONS * 256);
function on(expected: number, bytes: string, action: number): void {
  for (const byte of Buffer.from(bytes)) ACTIONS[(expected << 8) | byte] = action;
}
for (let expected = 0; expected < EXPECTATIONS; expected++) on(expected, " \n\r\t", SKIP);
for (const expected of [VALUE, VALUE_OR_END]) {
  on(expected, '"', READ_STRING);
  on(expected, "-0123456789", READ_NUMBER);
  on(expected, "tfn", READ_LITERAL);
  on(expected, "{", OPEN_OBJECT);
  on(expected, "[", OPEN_ARRAY);
}
on(VALUE_OR_END, "]", CLOSE);
on(KEY, '"', READ_KEY);
on(KEY_OR_END, '"', READ_KEY);
on(KEY_OR_END, "}", CLOSE);
on(COLON, ":", PASS_COLON);
on(AFTER_MEMBER, ",", NEXT_MEMBER);
on(AFTER_MEMBER, "}", CLOSE);
on(AFTER_ELEMENT, ",", NEXT_ELEMENT);
on(AFTER_ELEMENT, "]", CLOSE);

export class JsonScanner {
  readonly #maxDepth: number;
  readonly #maxKeys: number;
  readonly #tracker: Tracker;
  readonly #utf8 = new Utf8Check();
  readonly #strings = new StringReader();
  readonly #numbers = new NumberReader();
  readonly #literals = new LiteralReader();
  /** What may follow a value here, and in each enclosing container. */
  #after = AFTER_TEXT;
  readonly #outerAfter: number[] = [];
  #expected = VALUE;
  #depth = 0;
  #keys = 0;
  /** Absolute offset of the current chunk. */
  #base = 0;
  /** The reader of the token that the last chunk ended in. */
  #pendingReader: TokenReader | undefined;

  constructor(options: ScannerOptions) {
    this.#maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
    this.#maxKeys = options.maxKeys ?? Number.POSITIVE_INFINITY;
    this.#tracker = new Tracker(options.watch);
  }

  /** Scans the next bytes; throws a JsonFault as soon as the text is invalid. */
  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (!this.#utf8.push(chunk)) this.#fault("not-utf8", 0);
    try {
      this.#tokens(chunk, this.#pendingReader === undefined ? 0 : this.#resume(chunk, this.#pendingReader));
    } finally {
      this.#strings.release();
    }
    this.#base += chunk.length;
  }

  /** Returns the result. The scanner can then scan another text; after a fault it must be discarded. */
  end(): Scan {
    if (this.#pendingReader === this.#numbers && this.#numbers.mayEnd()) {
      this.#pendingReader = undefined;
      this.#valueEnded(0);
    }
    if (!this.#utf8.end()) this.#fault("not-utf8", 0);
    if (this.#pendingReader !== undefined || this.#expected !== AFTER_TEXT) this.#fault("malformed", 0);
    this.#expected = VALUE;
    this.#base = 0;
    this.#keys = 0;
    return this.#tracker.take();
  }

  /** Scans the tokens of a chunk. If the chunk ends inside a token, `expected` is already what follows that token. */
  #tokens(chunk: Buffer, from: number): void {
    let at = from;
    let expected = this.#expected;
    while (at < chunk.length) {
      const byte = byteAt(chunk, at);
      switch (byteAt(ACTIONS, (expected << 8) | byte)) {
        case SKIP:
          at++;
          break;
        case READ_KEY:
          expected = COLON;
          at = this.#key(chunk, at);
          break;
        case PASS_COLON:
          expected = VALUE;
          at++;
          break;
        case READ_STRING:
          expected = this.#after;
          this.#valueStarts("string", at);
          at = this.#valuePart(chunk, this.#strings, this.#strings.read(chunk, at, this.#base));
          break;
        case READ_NUMBER:
          expected = this.#after;
          this.#valueStarts("number", at);
          at = this.#valuePart(chunk, this.#numbers, this.#numbers.read(chunk, at, this.#base));
          break;
        case NEXT_MEMBER:
          expected = KEY;
          at++;
          break;
        case NEXT_ELEMENT:
          expected = VALUE;
          at++;
          break;
        case READ_LITERAL:
          expected = this.#after;
          this.#valueStarts(byte === 0x74 ? "true" : byte === 0x66 ? "false" : "null", at);
          at = this.#valuePart(chunk, this.#literals, this.#literals.read(chunk, at, this.#base));
          break;
        case OPEN_OBJECT:
          expected = KEY_OR_END;
          this.#open(AFTER_MEMBER, "object", at++);
          break;
        case OPEN_ARRAY:
          expected = VALUE_OR_END;
          this.#open(AFTER_ELEMENT, "array", at++);
          break;
        case CLOSE:
          expected = this.#close(++at);
          break;
        default:
          this.#fault("malformed", at);
      }
    }
    this.#expected = expected;
  }

  #open(after: number, kind: ValueKind, at: number): void {
    if (this.#depth >= this.#maxDepth) this.#fault("too-deep", at);
    if (this.#tracker.depth === this.#depth) this.#tracker.opened(kind, this.#base + at);
    this.#outerAfter.push(this.#after);
    this.#after = after;
    this.#depth++;
  }

  #close(end: number): number {
    if (this.#tracker.depth === this.#depth) this.#tracker.closed(this.#base + end);
    this.#after = this.#outerAfter.pop() ?? AFTER_TEXT;
    this.#depth--;
    this.#valueEnded(end);
    return this.#after;
  }

  #valueStarts(kind: ValueKind, at: number): void {
    if (this.#tracker.depth === this.#depth) this.#tracker.valueStarts(kind, this.#base + at);
  }

  #valueEnded(at: number): void {
    if (this.#tracker.depth === this.#depth) this.#tracker.valueEnded(this.#base + at);
  }

  #key(chunk: Buffer, at: number): number {
    if (++this.#keys > this.#maxKeys) this.#fault("too-many-keys", at);
    if (this.#tracker.depth === this.#depth) this.#tracker.keyStarts(this.#base + at);
    return this.#keyPart(chunk, at + 1, this.#strings.read(chunk, at, this.#base));
  }

  /** Handles the bytes of a key starting at `from`; `end` is after its closing quote, or INCOMPLETE. */
  #keyPart(chunk: Buffer, from: number, end: number): number {
    if (this.#tracker.depth === this.#depth) {
      if (end < 0) this.#tracker.keyPart(chunk.subarray(from));
      else this.#tracker.keyEnded(chunk, from, end - 1);
    }
    if (end >= 0) return end;
    this.#pendingReader = this.#strings;
    return chunk.length;
  }

  /** Handles the result of `reader` for a value: its end, or INCOMPLETE. */
  #valuePart(chunk: Buffer, reader: TokenReader, end: number): number {
    if (end >= 0) {
      this.#valueEnded(end);
      return end;
    }
    this.#pendingReader = reader;
    return chunk.length;
  }

  #resume(chunk: Buffer, reader: TokenReader): number {
    this.#pendingReader = undefined;
    const end = reader.resume(chunk, this.#base);
    // Only a key is followed by a colon.
    return this.#expected === COLON ? this.#keyPart(chunk, 0, end) : this.#valuePart(chunk, reader, end);
  }

  #fault(kind: JsonFaultKind, at: number): never {
    throw new JsonFault(kind, this.#base + at);
  }
}

/** Scans complete bodies one after another, without joining or copying chunks. */
export class BodyScanner {
  readonly #options: ScannerOptions;
  /** Reused for the next body: scanning is synchronous, so one scanner is enough. */
  #scanner: JsonScanner | undefined;

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  scan(chunks: readonly Buffer[]): Scan {
    const scanner = this.#scanner ?? new JsonScanner(this.#options);
    this.#scanner = undefined;
    for (const chunk of chunks) scanner.push(chunk);
    const scan = scanner.end();
    this.#scanner = scanner;
    return scan;
  }
}

/** Scans a single body. */
export function scanJson(chunks: readonly Buffer[], options: ScannerOptions): Scan {
  return new BodyScanner(options).scan(chunks);
}
