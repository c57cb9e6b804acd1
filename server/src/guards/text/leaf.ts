import type { Range } from "#lib/json/scan";

/** An object or array that contains leaves; the outermost one has no parent. */
export interface Container {
  readonly parent: Container | undefined;
  /** Its key or index in the parent; for the outermost one, the prefix of all paths, which may be empty. */
  readonly name: string | number;
  /** The keys of an object so far; undefined for an array. */
  readonly keys: string[] | undefined;
}

export type LeafKind = "value" | "key" | "number";

/** One text of a payload: a string value, the key of an object, or a number with many digits. */
export interface Leaf extends Range {
  /** Numbers are examined, but never changed. */
  readonly kind: LeafKind;
  readonly container: Container | undefined;
  readonly name: string | number;
  /** Decoded. `start` and `end` are the bytes of its JSON text, without quotes. */
  readonly text: string;
}

/** Such as `arguments.items.0.note`. A key has the path of its value. */
export function pathOf(leaf: Pick<Leaf, "container" | "name">): string {
  const names: (string | number)[] = [leaf.name];
  for (let each = leaf.container; each !== undefined; each = each.parent) names.push(each.name);
  return names
    .filter((name) => name !== "")
    .reverse()
    .join(".");
}

/** The key that describes the value: its own, or that of the array around it. Empty for keys. */
export function keyOf({ kind, name, container }: Leaf): string {
  if (kind === "key") return "";
  if (typeof name === "string") return name;
  for (let each = container; each !== undefined; each = each.parent) {
    if (typeof each.name === "string") return each.name;
  }
  return "";
}

/**
 * Prepares the conversion of spans of the decoded text to bytes of the source, in one pass over the text. A span that
 * starts or ends inside a character covers all of that character.
 */
export function mapOffsets(
  leaf: Leaf,
  byteAt: (offset: number) => number,
  spans: readonly Range[],
): (start: number, end: number) => Range {
  if (leaf.end - leaf.start === leaf.text.length) {
    // One byte per UTF-16 unit: ASCII without escapes.
    return (start, end) => ({ start: leaf.start + start, end: leaf.start + end });
  }
  const wanted = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
  const floors = new Map<number, number>();
  const ceilings = new Map<number, number>();
  let at = leaf.start;
  let units = 0;
  for (const offset of wanted) {
    let width = 0;
    while (at < leaf.end && units < offset) {
      width = widthAt(byteAt, at);
      units += width === 4 ? 2 : 1;
      at += width;
    }
    floors.set(offset, units > offset ? at - width : at);
    ceilings.set(offset, at);
  }
  return (start, end) => ({ start: floors.get(start) ?? leaf.start, end: ceilings.get(end) ?? leaf.end });
}

/** Bytes of the escape or character at a position. Only characters of four bytes have two UTF-16 units. */
function widthAt(byteAt: (offset: number) => number, at: number): number {
  const byte = byteAt(at);
  if (byte === 0x5c) return byteAt(at + 1) === 0x75 ? 6 : 2;
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}
