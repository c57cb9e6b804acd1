/**
 * The definitions of one kind that one source lists. They are serialized once, when they are published. A list response
 * consists of fragments, and single items are renamed or omitted by their offsets, without parsing.
 */
export const LISTING_KINDS = ["tools", "prompts", "resources", "resourceTemplates"] as const;
export type ListingKind = (typeof LISTING_KINDS)[number];

/** The member that identifies an item. It comes first in every serialized definition. */
const IDENTIFIER = { tools: "name", prompts: "name", resources: "uri", resourceTemplates: "uriTemplate" } as const;

/** Byte offsets of a definition in its listing's fragment. */
export interface ListedItem {
  readonly start: number;
  /** Where the identifying member ends. */
  readonly rest: number;
  readonly end: number;
}

export interface Listing<Item extends ListedItem = ListedItem> {
  /** In the order in which they are listed. */
  readonly items: readonly Item[];
  /** By name or URI. A tool or prompt can have two keys (D28). */
  readonly byKey: ReadonlyMap<string, Item>;
  /** The definitions as JSON, joined by commas. Empty when there are no items. */
  readonly fragment: Buffer;
}

/** Shared by all sources without items of a kind. */
export const EMPTY_LISTING: Listing<never> = { items: [], byKey: new Map<string, never>(), fragment: Buffer.alloc(0) };

export interface Definition<Fields> {
  /** The name or URI under which the item is listed. */
  readonly identifier: string;
  /** JSON text of an object with all other members. */
  readonly definition: string;
  readonly fields: Fields;
}

/** `keysOf` returns the keys of an item in `byKey`; the first item to claim a key gets it. */
export function buildListing<Fields extends object>(
  kind: ListingKind,
  definitions: readonly Definition<Fields>[],
  keysOf: (fields: Fields) => readonly string[],
): Listing<Fields & ListedItem> {
  if (definitions.length === 0) return EMPTY_LISTING;
  const items: (Fields & ListedItem)[] = [];
  let text = "";
  let start = 0;
  for (const { identifier, definition, fields } of definitions) {
    const head = headOf(kind, identifier);
    const members = definition.trim().slice(1).trimStart();
    const tail = members === "}" ? members : `,${members}`;
    const rest = start + Buffer.byteLength(head);
    const end = rest + Buffer.byteLength(tail);
    items.push({ ...fields, start, rest, end });
    text += items.length > 1 ? `,${head}${tail}` : head + tail;
    start = end + 1;
  }
  // Not from Node's pool: a small slice would keep 64 KiB of short-lived neighbors in memory.
  const fragment = Buffer.allocUnsafeSlow(start - 1);
  fragment.write(text);
  return { items, byKey: index(items, keysOf), fragment };
}

function headOf(kind: ListingKind, identifier: string): string {
  return `{"${IDENTIFIER[kind]}":${JSON.stringify(identifier)}`;
}

/** First keys take precedence over second ones: a full upstream name never hides another item's primary name. */
function index<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]): Map<string, Item> {
  const byKey = new Map<string, Item>();
  const laterKeys: [string, Item][] = [];
  for (const item of items) {
    const [first, ...later] = keysOf(item);
    if (first !== undefined && !byKey.has(first)) byKey.set(first, item);
    for (const key of later) laterKeys.push([key, item]);
  }
  for (const [key, item] of laterKeys) if (!byKey.has(key)) byKey.set(key, item);
  return byKey;
}

/** `true` keeps the item unchanged, `false` omits it, and text lists it under that identifier. */
export type Relisted = boolean | string;

export function relist<Item extends ListedItem>(
  kind: ListingKind,
  { items, byKey, fragment }: Listing<Item>,
  choose: (item: Item) => Relisted,
): Listing<Item> {
  const parts: Buffer[] = [];
  const moved = new Map<Item, Item>();
  let start = 0;
  for (const item of items) {
    const choice = choose(item);
    if (choice === false) continue;
    const head = choice === true ? fragment.subarray(item.start, item.rest) : Buffer.from(headOf(kind, choice));
    const tail = fragment.subarray(item.rest, item.end);
    if (parts.length > 0) parts.push(COMMA);
    parts.push(head, tail);
    const rest = start + head.length;
    const end = rest + tail.length;
    moved.set(item, { ...item, start, rest, end });
    start = end + 1;
  }
  const keys = [...byKey].flatMap(([key, item]): [string, Item][] => {
    const now = moved.get(item);
    return now ? [[key, now]] : [];
  });
  return { items: [...moved.values()], byKey: new Map(keys), fragment: Buffer.concat(parts) };
}

const COMMA = Buffer.from(",");

/** Joined by commas. A single fragment is not copied. */
export function joinFragments(fragments: readonly Buffer[]): Buffer {
  const [only] = fragments;
  if (fragments.length <= 1) return only ?? EMPTY_LISTING.fragment;
  return Buffer.concat(fragments.flatMap((fragment, at) => (at > 0 ? [COMMA, fragment] : [fragment])));
}

/** The contribution of one source to a list of a view. */
export interface Portion {
  /** The source's key. Portions are in ascending order of their keys. */
  readonly key: string;
  readonly count: number;
  fragment(): Buffer;
}
