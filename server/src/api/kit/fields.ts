import { invalid } from "#lib/errors";

/** `fields=slug,tools(name,slug)` as a tree; a name without parentheses selects the entire field (Spec 4.1, D10). */
export type FieldTree = ReadonlyMap<string, FieldTree | "all">;
/** The fields that exist: `true` for a leaf, an object for nested fields. */
export interface KnownFields {
  readonly [name: string]: true | KnownFields;
}

const MAX_LENGTH = 2_000;

/** Parses the selection in one pass and reports unknown fields and unbalanced parentheses. */
export function readFields(text: string, known: KnownFields): FieldTree {
  if (text.length > MAX_LENGTH) throw invalid("fields", `must be at most ${MAX_LENGTH} characters`);
  const tokens = text.match(/[(),]|[^(),]+/g) ?? [];
  const { tree, next } = readLevel(tokens, 0, known, false);
  if (next < tokens.length) throw unbalanced();
  return tree;
}

function readLevel(
  tokens: readonly string[],
  start: number,
  known: KnownFields,
  nested: boolean,
): { tree: FieldTree; next: number } {
  const tree = new Map<string, FieldTree | "all">();
  let at = start;
  while (at < tokens.length && tokens[at] !== ")") {
    const name = (tokens[at] ?? "").trim();
    if (name === "(") throw unbalanced();
    at++;
    if (name === "," || name === "") continue;
    const inside = insideOf(name, known);
    if (tokens[at] !== "(") {
      tree.set(name, "all");
      continue;
    }
    if (inside === true) throw invalid("fields", `field "${name}" has no nested fields`);
    const level = readLevel(tokens, at + 1, inside, true);
    tree.set(name, level.tree);
    at = level.next;
  }
  if (nested && tokens[at] !== ")") throw unbalanced();
  return { tree, next: nested ? at + 1 : at };
}

function insideOf(name: string, known: KnownFields): true | KnownFields {
  const inside = Object.hasOwn(known, name) ? known[name] : undefined;
  if (inside === undefined) throw invalid("fields", `unknown field "${name}"`);
  return inside;
}

function unbalanced() {
  return invalid("fields", "unbalanced parentheses");
}

export function selectFields(entry: Readonly<Record<string, unknown>>, tree: FieldTree): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    const inside = tree.get(name);
    if (inside === "all") selected[name] = value;
    else if (inside) selected[name] = selectInside(value, inside);
  }
  return selected;
}

function selectInside(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((entry) => selectInside(entry, tree));
  // Declared responses hold only plain objects, so an object that is not an array can be read by its keys.
  return typeof value === "object" && value !== null ? selectFields(value as Record<string, unknown>, tree) : value;
}
