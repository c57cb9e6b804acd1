import type { ByteSource } from "./byte-source.ts";
import type { Range } from "./scan.ts";

/** Replaces the bytes from `start` to `end` with `text`; inserts it if `start === end`. */
export interface Edit extends Range {
  readonly text: string | Buffer;
}

/** Below this size, copying is cheaper than an additional write. */
const COPY_BELOW_BYTES = 16 * 1024;

/** Returns `source` with the edits applied, as one Buffer. Edits must be sorted and must not overlap. */
export function splice(source: ByteSource, edits: readonly Edit[]): Buffer {
  const target = Buffer.allocUnsafe(splicedLength(source, edits));
  let at = 0;
  let copied = 0;
  for (const edit of edits) {
    at = source.copy(target, at, copied, edit.start);
    at += typeof edit.text === "string" ? target.write(edit.text, at, "utf8") : edit.text.copy(target, at);
    copied = edit.end;
  }
  source.copy(target, at, copied, source.length);
  return target;
}

/** Returns `source` with the edits applied, as Buffers to write in order: large parts are views, not copies. */
export function spliceParts(source: ByteSource, edits: readonly Edit[]): Buffer[] {
  if (source.length < COPY_BELOW_BYTES) return [splice(source, edits)];
  assertInOrder(source, edits);
  const parts: Buffer[] = [];
  let copied = 0;
  for (const edit of edits) {
    parts.push(...source.parts(copied, edit.start));
    if (edit.text.length > 0) parts.push(typeof edit.text === "string" ? Buffer.from(edit.text, "utf8") : edit.text);
    copied = edit.end;
  }
  parts.push(...source.parts(copied, source.length));
  return parts;
}

function splicedLength(source: ByteSource, edits: readonly Edit[]): number {
  assertInOrder(source, edits);
  let length = source.length;
  for (const edit of edits) length += Buffer.byteLength(edit.text) - (edit.end - edit.start);
  return length;
}

function assertInOrder(source: ByteSource, edits: readonly Edit[]): void {
  let last = 0;
  for (const { start, end } of edits) {
    if (start < last || end < start || end > source.length) {
      throw new RangeError(`edit ${start}-${end} overlaps another one or lies outside the ${source.length} bytes`);
    }
    last = end;
  }
}

/** Reads the string value at `range`; only that slice is parsed. */
export function readString(source: ByteSource, range: Range): string {
  const text = source.text(range);
  if (!text.includes("\\")) return text.slice(1, -1);
  const value: unknown = JSON.parse(text);
  if (typeof value !== "string") throw new TypeError("the range does not hold a JSON string");
  return value;
}
