/** Lists that differ from the published ones, cached because many callers share them. */
import type { CapabilityMask } from "#lib/gating-capabilities";
import type { Lru } from "#lib/lru";
import type { NamedKind, Selection } from "./decision.ts";
import { editDefinition } from "./edit-definition.ts";
import { callableItem, type ExposedTool, type Exposure } from "./exposure.ts";
import { buildListing, type ListedItem, type Listing, type ListingKind, relist } from "./listing.ts";
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

/** The lists of a source in a view. They are built when they are used, and shared by all views with the same key. */
export class DerivedLists {
  readonly #source: Source;
  readonly #how: Derivation;
  /** A list is looked up by it with each request, so it is composed once. */
  readonly #keys: Readonly<Record<ListingKind, string>>;

  constructor(source: Source, how: Derivation) {
    this.#source = source;
    this.#how = how;
    const { selection, exposure, prefixed, declared } = how;
    const exposed = [source.key, exposure?.key ?? null];
    this.#keys = {
      tools: JSON.stringify(["tools", ...exposed, prefixed, selection?.key ?? null, declared]),
      prompts: JSON.stringify(["prompts", ...exposed, prefixed]),
      resources: JSON.stringify(["resources", ...exposed]),
      resourceTemplates: JSON.stringify(["resourceTemplates", ...exposed]),
    };
  }

  named(cache: Lru<AnyListing>, kind: NamedKind): Listing<NamedItem> {
    const { selection, exposure, prefixed, declared } = this.#how;
    if (kind === "prompts" && prefixed && !exposure) return this.#source.prompts;
    return cached(cache, this.#keys[kind], () => {
      const exposed = exposure ? exposedListing(this.#source, kind, exposure) : this.#source[kind];
      const isListed = ({ upstreamName, requires = 0 }: NamedItem) =>
        kind === "prompts" || ((requires & ~declared) === 0 && (!selection || selection.has(upstreamName)));
      return relist(kind, exposed, (item) => isListed(item) && (prefixed || item.slug));
    });
  }

  resources(cache: Lru<AnyListing>, kind: ResourceKind): Listing<ResourceItem> {
    const { exposure } = this.#how;
    const listing: Listing<ResourceItem> = this.#source[kind];
    if (!exposure) return listing;
    return cached(cache, this.#keys[kind], () => relist(kind, listing, ({ uri }) => exposure.hasResource(uri)));
  }
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
