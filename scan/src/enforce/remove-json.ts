/** Removes entries from JSON with comments. Everything else, comments and formatting included, stays as it is. */
import { createScanner, type Node, parseTree } from "jsonc-parser";

export type Pointer = readonly (string | number)[];

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Undefined if the entry is not there. */
export function removeFromJson(text: string, pointer: Pointer): string | undefined {
  let output = text;
  // A key can occur several times, and clients use the last one. Each removal moves the others.
  for (let next = removeOne(output, pointer); next !== undefined; next = removeOne(output, pointer)) output = next;
  return output === text ? undefined : output;
}

/** The text of a value. Of several entries with the same key the last one, which clients use. */
export function jsonTextAt(text: string, pointer: Pointer): string | undefined {
  const root = parseTree(text);
  const node = root && nodeAt(root, pointer);
  return node && text.slice(node.offset, node.offset + node.length);
}

function nodeAt(node: Node, [key, ...rest]: Pointer): Node | undefined {
  if (key === undefined) return node;
  const properties = node.type === "object" ? (node.children ?? []) : [];
  const found = properties.flatMap(({ children: [name, value] = [] }) =>
    name?.value === key && value ? (nodeAt(value, rest) ?? []) : [],
  );
  return found.at(-1);
}

function removeOne(text: string, pointer: Pointer): string | undefined {
  const root = parseTree(text);
  const property = root && propertyAt(root, pointer);
  return property && cut(text, spansOf(text, property));
}

function propertyAt(node: Node, [key, ...rest]: Pointer): Node | undefined {
  if (node.type !== "object" || key === undefined) return undefined;
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? [];
    if (name?.value !== key) continue;
    if (rest.length === 0) return property;
    const found = value && propertyAt(value, rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The property and the comma that belongs to it: the next one, or the previous one for the last property. */
function spansOf(source: string, property: Node): Span[] {
  const end = property.offset + property.length;
  const next = commaAfter(source, end);
  if (next !== undefined)
    return [
      { start: property.offset, end },
      { start: next, end: next + 1 },
    ];
  const siblings = property.parent?.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  const previous = before && commaAfter(source, before.offset + before.length);
  const own = { start: property.offset, end };
  return previous === undefined ? [own] : [{ start: previous, end: previous + 1 }, own];
}

function commaAfter(source: string, from: number): number | undefined {
  const scanner = createScanner(source, true);
  scanner.setPosition(from);
  scanner.scan();
  return source[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : undefined;
}

/** Also removes lines that become empty. */
function cut(source: string, spans: readonly Span[]): string {
  let output = "";
  let from = 0;
  for (const { start, end } of spans) {
    const before = source.slice(from, start);
    output += before;
    from = end;
  }
  const rest = source.slice(from);
  const lineBefore = /\n[ \t]*$/.test(output);
  const lineAfter = /^[ \t]*\r?\n/.exec(rest)?.[0];
  if (lineBefore && lineAfter !== undefined) return output.replace(/[ \t]*$/, "") + rest.slice(lineAfter.length);
  return output + rest;
}
