import type { CapabilityMask } from "#lib/gating-capabilities";
import { Lru } from "#lib/lru";
import type { SnapshotSource } from "../ports.ts";
import { CommandSource } from "./command-source.ts";
import { type AnyListing, DerivedLists } from "./derived-lists.ts";
import { emptySnapshot } from "./next-snapshot.ts";
import { type Resolution, resolve, type Subject } from "./resolve.ts";
import { ALL_SERVERS, withoutSearch } from "./scope.ts";
import { searchView } from "./search-view.ts";
import type { Snapshot, Source, UserEntry } from "./shape.ts";
import { SkillSource } from "./skill-source.ts";
import { withSkillTools } from "./skill-tools-view.ts";
import type { ToolkitEntry } from "./toolkits.ts";
import { View, type ViewOptions } from "./view.ts";

const VIEW_BUDGET_BYTES = 64 * 1024 * 1024;
/** A joined fragment above this share of the budget would evict too many others. It is joined again for each request. */
const MAX_CACHED_FRACTION = 1 / 8;
const BYTES_PER_VIEW = 512;
const BYTES_PER_REFERENCE = 8;
const BYTES_PER_DERIVED = 512;

/** This process's current snapshot, and a cache of views of it. */
export class SnapshotHolder implements SnapshotSource {
  readonly #views: Lru<View>;
  readonly #listingBudgetBytes: number;
  /** Items that are listed otherwise than they were published, for the current snapshot. */
  #listings: Lru<AnyListing>;
  readonly #maxCachedBytes: number;
  readonly #swapListeners: (() => void)[] = [];
  #current: Snapshot = emptySnapshot;

  constructor(viewBudgetBytes = VIEW_BUDGET_BYTES) {
    this.#views = new Lru(viewBudgetBytes);
    this.#listingBudgetBytes = viewBudgetBytes / 4;
    this.#listings = new Lru(this.#listingBudgetBytes);
    this.#maxCachedBytes = viewBudgetBytes * MAX_CACHED_FRACTION;
  }

  current(): Snapshot {
    return this.#current;
  }

  /** Views depend on sources, groups, toolkits, skills and commands only, so changed users and credentials leave the cache valid. */
  swap(next: Snapshot): void {
    const sameViews =
      next.serversById === this.#current.serversById &&
      next.groups === this.#current.groups &&
      next.toolkits === this.#current.toolkits &&
      next.skills === this.#current.skills &&
      next.commands === this.#current.commands &&
      next.ownSources === this.#current.ownSources;
    this.#current = next;
    if (!sameViews) {
      this.#views.clear();
      // Not cleared: views of the snapshot before may still use it.
      this.#listings = new Lru(this.#listingBudgetBytes);
    }
    for (const listener of this.#swapListeners) listener();
  }

  /** Called after each swap; must not block. */
  onSwap(listener: () => void): void {
    this.#swapListeners.push(listener);
  }

  /**
   * Looks the user up again, because the request may have waited since it was authenticated. `declared` returns the
   * capabilities of the caller; it is called only if the view depends on them.
   */
  viewFor(subject: Subject, scope = ALL_SERVERS, declared: () => CapabilityMask = declaresNone): View {
    if (scope.skillTools && scope.slug === undefined)
      return withSkillTools(this.viewFor(subject, { ...scope, skillTools: undefined }, declared));
    if (scope.tools === "search") return searchView(this.viewFor(subject, withoutSearch(scope), declared));
    const user = this.#current.usersById.get(subject.user.id);
    if (!user || user.disabled) return View.EMPTY;
    const resolution = resolve(this.#current, { ...subject, user }, scope);
    const toolkit = resolution.toolkit();
    if (toolkit === null) return View.EMPTY;
    if (scope.slug !== undefined) {
      const sources = resolution.sources();
      const mask = sources.some(gateOf) ? declared() : 0;
      return this.#build(resolution, sources, { prefixed: scope.prefixed, mask });
    }
    const key = viewKey(this.#current, user, toolkit);
    const view = this.#views.get(key) ?? this.#cached(key, resolution, resolution.sources(), 0);
    const mask = view.gatedBy === 0 ? 0 : declared() & view.gatedBy;
    if (mask === 0) return view;
    const ownKey = `${key} ${mask}`;
    return this.#views.get(ownKey) ?? this.#cached(ownKey, resolution, view.sources, mask);
  }

  #cached(key: string, resolution: Resolution, sources: readonly Source[], mask: CapabilityMask): View {
    const mayCache = (made: View, bytes: number) => this.#mayCache(key, made, bytes);
    const view = this.#build(resolution, sources, { prefixed: true, mask }, mayCache);
    this.#views.set(key, view, viewWeight(key, view));
    return view;
  }

  #build(
    resolution: Resolution,
    sources: readonly Source[],
    { prefixed, mask }: { readonly prefixed: boolean; readonly mask: CapabilityMask },
    mayCache?: ViewOptions["mayCache"],
  ): View {
    const derived = new Map<Source, DerivedLists>();
    for (const source of sources) {
      const declared = mask & gateOf(source);
      const exposure = source.kind === "server" ? resolution.exposure(source) : undefined;
      const selection = resolution.selection(source);
      const isPublished = prefixed && !selection && !exposure && gateOf(source) === 0;
      if (!isPublished) derived.set(source, new DerivedLists(source, { selection, exposure, prefixed, declared }));
    }
    const listings = this.#listings;
    return new View(sources, {
      ...(mayCache && { mayCache }),
      ...{ heldBytes: derived.size * BYTES_PER_DERIVED + ownBytes(sources), prefixed },
      ...(derived.size > 0 && {
        named: (source, kind) => derived.get(source)?.named(listings, kind) ?? source[kind],
        resources: (source, kind) => derived.get(source)?.resources(listings, kind) ?? source[kind],
      }),
    });
  }

  /** A view that a swap has evicted must not return to the cache through its weight. */
  #mayCache(key: string, view: View, bytes: number): boolean {
    if (bytes > this.#maxCachedBytes || this.#views.get(key) !== view) return false;
    this.#views.set(key, view, viewWeight(key, view) + bytes);
    return true;
  }
}

/** Of lists that are built for one view. */
function ownBytes(sources: readonly Source[]): number {
  const [first, last] = [sources[0], sources.at(-1)];
  return (first instanceof SkillSource ? first.bytes : 0) + (last instanceof CommandSource ? last.bytes : 0);
}

/** The capabilities that tools of the source require. */
function gateOf(source: Source): CapabilityMask {
  return source.kind === "server" ? (source.gatedBy ?? 0) : 0;
}

function declaresNone(): CapabilityMask {
  return 0;
}

/**
 * Access depends on the set of existing groups, the toolkit, and the user's own toolkits alone. JSON keeps two different
 * sets from sharing a key.
 */
function viewKey({ groups, toolkits }: Snapshot, user: UserEntry, toolkit: ToolkitEntry | undefined): string {
  const existing = [...new Set(user.groupIds.filter((groupId) => groups.has(groupId)))].sort();
  if (toolkit) return JSON.stringify([existing, toolkit.id]);
  return JSON.stringify(toolkits.restrictingOwners.has(user.id) ? [existing, user.id] : existing);
}

function viewWeight(key: string, view: View): number {
  const references = view.sources.length * BYTES_PER_REFERENCE;
  return BYTES_PER_VIEW + key.length + view.warnings.length + references + view.cachedBytes();
}
