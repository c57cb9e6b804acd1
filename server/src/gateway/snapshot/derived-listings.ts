/** Listings that differ from the published ones, cached because many callers share them. */
import type { CapabilityMask } from "#lib/gating-capabilities";
import type { Lru } from "#lib/lru";
import { editDefinition } from "./edit-definition.ts";
import { callableItem, type ExposedTool, type Exposure } from "./exposure.ts";
import { buildListing, type ListedItem, type Listing, relist } from "./listing.ts";
import type { NamedKind, Selection } from "./resolve.ts";
import type { NamedItem, ResourceItem, Source } from "./shape.ts";
import type { ResourceKind } from "./view.ts";

export type AnyListing = Listing<NamedItem> | Listing<ResourceItem>;

const BYTES_PER_LISTING = 512;
const BYTES_PER_ITEM = 96;

interface Derivation {
  readonly selection: Selection | undefined;
  /** What toolkits expose; undefined: everything. */
  readonly exposure: Exposure | undefined;
  /** D27: names without the prefix if false. */
  readonly prefixed: boolean;
  /** Tools that require others are omitted. */
  readonly declared: CapabilityMask;
}

/** Tools or prompts, for everyone with the same selection, toolkits and capabilities. */
export function derive(
  cache: Lru<AnyListing>,
  source: Source,
  kind: NamedKind,
  { selection, exposure, prefixed, declared }: Derivation,
): Listing<NamedItem> {
  const key = JSON.stringify([kind, source.key, prefixed, selection?.key, declared, exposure?.key]);
  return cached(cache, key, () => {
    const exposed = exposure ? exposedListing(source, kind, exposure) : source[kind];
    return relist(kind, exposed, ({ slug, upstreamName, requires = 0 }) =>
      (requires & ~declared) !== 0 || (selection && !selection.has(upstreamName)) ? false : prefixed || slug,
    );
  });
}

export function deriveResources(
  cache: Lru<AnyListing>,
  source: Source,
  kind: ResourceKind,
  exposure: Exposure,
): Listing<ResourceItem> {
  const key = JSON.stringify([kind, source.key, exposure.key]);
  const listing: Listing<ResourceItem> = source[kind];
  return cached(cache, key, () => relist(kind, listing, ({ uri }) => exposure.hasResource(uri)));
}

/** A key names its kind, so every listing under it has the same type. */
function cached<Item extends NamedItem | ResourceItem>(
  cache: Lru<AnyListing>,
  key: string,
  build: () => Listing<Item>,
): Listing<Item> {
  const known = cache.get(key);
  if (known) return known as Listing<Item>;
  const built = build();
  const weight = built.fragment.length + BYTES_PER_LISTING + built.items.length * BYTES_PER_ITEM;
  cache.set(key, built as AnyListing, weight);
  return built;
}

function exposedListing(source: Source, kind: NamedKind, exposure: Exposure): Listing<NamedItem> {
  if (kind === "tools") return exposedTools(source, exposure);
  return relist(kind, source.prompts, ({ upstreamName }) => exposure.hasPrompt(upstreamName));
}

/** The tools of a server as toolkits show them. */
export function exposedTools(source: Source, exposure: Exposure): Listing<NamedItem> {
  const { fragment } = source.tools;
  const definitions = exposure.tools().map((tool) => ({
    identifier: `${source.key}__${tool.slug}`,
    definition: shownDefinition(fragment, tool),
    fields: fieldsOf(tool),
  }));
  return buildListing<NamedFields>("tools", definitions, ({ slug }) => [slug]);
}

type NamedFields = Omit<NamedItem, keyof ListedItem>;

function fieldsOf(tool: ExposedTool): NamedFields {
  const { start: _start, rest: _rest, end: _end, ...fields } = callableItem(tool);
  return fields;
}

/** All members except the name, which comes first. */
function shownDefinition(fragment: Buffer, tool: ExposedTool): string {
  const { rest, end } = tool.item;
  const members = fragment.toString("utf8", rest, end);
  return editDefinition(members === "}" ? "{}" : `{${members.slice(1)}`, tool);
}
