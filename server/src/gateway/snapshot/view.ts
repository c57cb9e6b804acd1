import type { CapabilityMask } from "#lib/gating-capabilities";
import type { NamedKind } from "./decision.ts";
import { joinFragments, LISTING_KINDS, type Listing, type ListingKind, type Portion } from "./listing.ts";
import { resourcePortions } from "./resources.ts";
import type { NamedItem, ServerEntry, Source } from "./shape.ts";
import { SkillSource } from "./skill-source.ts";
import type { SkillEntry } from "./skills.ts";

export type ResourceKind = Exclude<ListingKind, NamedKind>;

export interface ViewOptions {
  /** How the tools and prompts of a source are listed in this view. Default: as they were published. */
  readonly named?: (source: Source, kind: NamedKind) => Listing<NamedItem>;
  /** The same for resources and templates. */
  readonly resources?: (source: Source, kind: ResourceKind) => Listing;
  /** Whether names have prefixes, and `skill://` URIs of servers the slug of their server. Default: yes. */
  readonly prefixed?: boolean;
  /** Size of what these options hold. Default: 0. */
  readonly heldBytes?: number;
  /** Called once per kind: whether the view may cache a joined fragment of this size. Default: no. */
  readonly mayCache?: (view: View, bytes: number) => boolean;
}

/** A list reports at most this many sources with warnings. */
const MAX_WARNING_SOURCES = 50;

/** Everything that one caller can list: the accessible sources, ordered by key. */
export class View {
  static readonly EMPTY = new View([]);

  readonly sources: readonly Source[];
  readonly servers: readonly ServerEntry[];
  /** The capabilities that decide what the view lists; 0 for most views. */
  readonly gatedBy: CapabilityMask;
  /** The sources' `warnings`, joined by commas. */
  readonly warnings: string;
  readonly #options: ViewOptions;
  readonly #counts = new Map<ListingKind, number>();
  readonly #joined = new Map<ListingKind, Buffer>();

  constructor(sources: readonly Source[], options: ViewOptions = {}) {
    this.sources = sources;
    this.servers = sources.every(isServer) ? sources : sources.filter(isServer);
    this.gatedBy = this.servers.reduce((mask, { gatedBy = 0 }) => mask | gatedBy, 0);
    this.warnings = warningsOf(sources);
    this.#options = options;
  }

  count(kind: ListingKind): number {
    const known = this.#counts.get(kind);
    if (known !== undefined) return known;
    let count = 0;
    for (const source of this.sources) count += this.listing(source, kind).items.length;
    this.#counts.set(kind, count);
    return count;
  }

  /** The skills of the view, by slug. */
  get skills(): readonly SkillEntry[] {
    const [first] = this.sources;
    return first instanceof SkillSource ? first.skills : [];
  }

  /** All definitions of a kind, joined by commas. */
  fragment(kind: ListingKind): Buffer {
    const kept = this.#joined.get(kind);
    if (kept) return kept;
    const fragment = joinFragments(this.portions(kind).map((portion) => portion.fragment()));
    if (this.#options.mayCache?.(this, fragment.length)) this.#joined.set(kind, fragment);
    return fragment;
  }

  /** Omits sources without items of the kind. */
  portions(kind: ListingKind): Portion[] {
    const listed = this.sources
      .map((source) => ({ key: source.key, isServer: isServer(source), listing: this.listing(source, kind) }))
      .filter(({ listing }) => listing.items.length > 0);
    if (kind === "resources" || kind === "resourceTemplates")
      return resourcePortions(kind, listed, this.#options.prefixed);
    return listed.map(({ key, listing }) => ({ key, count: listing.items.length, fragment: () => listing.fragment }));
  }

  /** The items of a source as this view lists them. */
  listing(source: Source, kind: ListingKind): Listing {
    if (kind === "tools" || kind === "prompts") return this.named(source, kind);
    return this.#options.resources?.(source, kind) ?? source[kind];
  }

  named(source: Source, kind: NamedKind): Listing<NamedItem> {
    return this.#options.named?.(source, kind) ?? source[kind];
  }

  /** Whether the source contributes to any list of the view. */
  lists(source: Source): boolean {
    return LISTING_KINDS.some((kind) => this.listing(source, kind).items.length > 0);
  }

  /** Size of the joined fragments that the view caches, and of its options. */
  cachedBytes(): number {
    let bytes = this.#options.heldBytes ?? 0;
    for (const fragment of this.#joined.values()) bytes += fragment.length;
    return bytes;
  }
}

function isServer(source: Source): source is ServerEntry {
  return source.kind === "server";
}

function warningsOf(sources: readonly Source[]): string {
  const warnings = sources.map((source) => source.warnings).filter((text) => text !== "");
  return warnings.slice(0, MAX_WARNING_SOURCES).join(",");
}
