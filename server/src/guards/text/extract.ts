import { JsonFault } from "#lib/json/scan";
import type { Container, Leaf, LeafKind } from "./leaf.ts";
import { StringEnds } from "./string-ends.ts";

export interface ExtractLimits {
  /** Bytes of one text. */
  readonly leafBytes: number;
  /** Bytes of all texts of a message. */
  readonly messageBytes: number;
}

export const DEFAULT_LIMITS: ExtractLimits = { leafBytes: 256 * 1024, messageBytes: 1024 * 1024 };

export interface ExtractOptions extends ExtractLimits {
  /** First part of every path: `arguments`, or empty. */
  readonly prefix: string;
  /** Skips images, audio and blobs of MCP results, which hold no text, and the keys of the protocol. */
  readonly skipBinary: boolean;
}

export interface Extraction {
  readonly leaves: readonly Leaf[];
  /** Characters that were extracted. */
  readonly textLength: number;
  /** Whether the limits excluded text. */
  readonly oversize: boolean;
}

/** Shorter numbers identify nothing. */
const MIN_NUMBER_DIGITS = 9;
const BINARY_ROOTS: ReadonlySet<string | number> = new Set(["content", "contents", "messages"]);
/** Keys that most results have; they are no text. */
const PROTOCOL_KEYS: ReadonlySet<string> = new Set([
  ...["content", "contents", "messages", "structuredContent", "isError", "type", "text", "resource", "uri", "mimeType"],
  ...["role", "name", "title", "description", "_meta", "annotations", "resultType", "blob", "data"],
]);
const EXPECT_VALUE = 0;
const EXPECT_KEY = 1;
const EXPECT_COMMA = 2;
/** Kinds of tokens by their first byte; 0 is skipped. */
const STRING = 1;
const OPEN = 2;
const CLOSE = 3;
const COMMA = 4;
const NUMBER = 5;
const TOKENS = new Uint8Array(256);
TOKENS[0x22] = STRING;
TOKENS[0x2c] = COMMA;
for (const byte of Buffer.from("{[")) TOKENS[byte] = OPEN;
for (const byte of Buffer.from("}]")) TOKENS[byte] = CLOSE;
for (const byte of Buffer.from("-0123456789")) TOKENS[byte] = NUMBER;
/** Up to this many keys, comparing them is faster than a set. */
const FEW_KEYS = 16;

/**
 * Extracts the texts of a JSON value whose syntax a scanner of `lib/json` has validated. Works with a stack instead of
 * recursion, in one pass. Throws a JsonFault for duplicate keys, because two parsers would read different texts.
 */
export function extractLeaves(bytes: Buffer, base: number, options: ExtractOptions): Extraction {
  return new Extractor(bytes, base, options).run();
}

class Extractor {
  readonly #bytes: Buffer;
  readonly #base: number;
  readonly #options: ExtractOptions;
  readonly #strings: StringEnds;
  readonly #leaves: Leaf[] = [];
  readonly #keySets = new Map<Container, Set<string>>();
  #container: Container | undefined;
  #root: string | number = "";
  #name: string | number;
  #at = 0;
  #expected = EXPECT_VALUE;
  #textLength = 0;
  #oversize = false;

  constructor(bytes: Buffer, base: number, options: ExtractOptions) {
    this.#bytes = bytes;
    this.#base = base;
    this.#options = options;
    this.#strings = new StringEnds(bytes);
    this.#name = options.prefix;
  }

  run(): Extraction {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && this.#textLength <= this.#options.messageBytes) {
      const byte = bytes[this.#at] as number;
      const token = TOKENS[byte] as number;
      // White space, colons, and the letters of true, false and null.
      if (token === 0) this.#at++;
      else this.#token(token, byte);
    }
    if (this.#at < bytes.length) this.#oversize = true;
    return { leaves: this.#leaves, textLength: this.#textLength, oversize: this.#oversize };
  }

  #token(token: number, byte: number): void {
    switch (token) {
      case STRING:
        return this.#string();
      case OPEN:
        return this.#open(byte === 0x7b);
      case CLOSE:
        return this.#close();
      case COMMA:
        return this.#comma();
      default:
        return this.#number();
    }
  }

  #open(isObject: boolean): void {
    this.#container = { parent: this.#container, name: this.#name, keys: isObject ? [] : undefined };
    this.#name = 0;
    this.#expected = isObject ? EXPECT_KEY : EXPECT_VALUE;
    this.#at++;
  }

  #close(): void {
    const closed = this.#container;
    if (closed === undefined) throw new JsonFault("malformed", this.#base + this.#at);
    this.#container = closed.parent;
    this.#name = closed.name;
    this.#expected = EXPECT_COMMA;
    this.#at++;
  }

  #comma(): void {
    this.#expected = this.#container?.keys === undefined ? EXPECT_VALUE : EXPECT_KEY;
    if (typeof this.#name === "number") this.#name++;
    this.#at++;
  }

  #number(): void {
    const start = this.#at;
    let end = start + 1;
    let plain = true;
    for (; end < this.#bytes.length; end++) {
      const byte = this.#bytes[end] as number;
      if (byte >= 0x30 && byte <= 0x39) continue;
      if (byte !== 0x2e && byte !== 0x65 && byte !== 0x45 && byte !== 0x2b && byte !== 0x2d) break;
      plain = false;
    }
    this.#at = end;
    const digitsFrom = this.#bytes[start] === 0x2d ? start + 1 : start;
    if (plain && end - digitsFrom >= MIN_NUMBER_DIGITS) {
      this.#add("number", this.#name, digitsFrom, end, this.#bytes.toString("latin1", digitsFrom, end));
    }
  }

  #string(): void {
    const start = this.#at + 1;
    const { end, escaped } = this.#strings.endOf(start);
    this.#at = end + 1;
    if (this.#expected === EXPECT_KEY) return this.#key(start, end, escaped);
    this.#expected = EXPECT_COMMA;
    if (end === start || this.#isBinary()) return;
    const length = end - start;
    const { leafBytes } = this.#options;
    if (length <= leafBytes) return this.#add("value", this.#name, start, end, this.#decode(start, end, escaped));
    // Escapes are longer than the text that they represent.
    const whole = escaped && length <= 2 * leafBytes ? this.#decode(start, end, escaped) : undefined;
    if (whole !== undefined && whole.length <= leafBytes) return this.#add("value", this.#name, start, end, whole);
    const cut = this.#cut(start);
    this.#add("value", this.#name, start, cut, this.#decode(start, cut, escaped));
  }

  #key(start: number, end: number, escaped: boolean): void {
    if (end - start > this.#options.leafBytes) throw new JsonFault("too-many-keys", this.#base + start);
    const key = this.#decode(start, end, escaped);
    this.#name = key;
    this.#expected = EXPECT_VALUE;
    const container = this.#container;
    if (container?.keys === undefined) throw new JsonFault("malformed", this.#base + start);
    if (this.#isDuplicate(container, container.keys, key)) throw new JsonFault("duplicate-key", this.#base + start);
    container.keys.push(key);
    if (container.parent === undefined) this.#root = key;
    const isKnown = this.#options.skipBinary && PROTOCOL_KEYS.has(key);
    if (end > start && !isKnown) this.#add("key", key, start, end, key);
  }

  #isDuplicate(container: Container, keys: readonly string[], key: string): boolean {
    if (keys.length < FEW_KEYS) return keys.includes(key);
    let set = this.#keySets.get(container);
    if (set === undefined) {
      set = new Set(keys);
      this.#keySets.set(container, set);
    }
    if (set.has(key)) return true;
    set.add(key);
    return false;
  }

  #isBinary(): boolean {
    if (!this.#options.skipBinary || (this.#name !== "data" && this.#name !== "blob")) return false;
    return BINARY_ROOTS.has(this.#root);
  }

  #add(kind: LeafKind, name: string | number, start: number, end: number, text: string): void {
    this.#textLength += text.length;
    const container = this.#container;
    this.#leaves.push({ kind, container, name, text, start: this.#base + start, end: this.#base + end });
  }

  #decode(start: number, end: number, escaped: boolean): string {
    const text = this.#bytes.toString("utf8", start, end);
    // The escapes are valid, so this is a JSON string.
    return escaped && text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Where a text that is too long is cut: never inside a character or an escape. */
  #cut(start: number): number {
    this.#oversize = true;
    let end = start + this.#options.leafBytes;
    while (((this.#bytes[end] as number) & 0xc0) === 0x80) end--;
    for (let at = Math.max(start, end - 6); at < end; at++) {
      if (this.#bytes[at] !== 0x5c || this.#isEscapedAt(start, at)) continue;
      const width = this.#bytes[at + 1] === 0x75 ? 6 : 2;
      if (at + width > end) return at;
    }
    return end;
  }

  /** Whether the backslash at `at` is the second one of an escaped backslash. */
  #isEscapedAt(start: number, at: number): boolean {
    let before = at;
    while (before > start && this.#bytes[before - 1] === 0x5c) before--;
    return (at - before) % 2 === 1;
  }
}
