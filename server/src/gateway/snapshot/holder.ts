import type { CapabilityMask } from "#lib/gating-capabilities";
import { Lru } from "#lib/lru";
import type { SnapshotSource } from "../ports.ts";
import { type Listing, type ListingKind, relist } from "./listing.ts";
import { emptySnapshot } from "./next-snapshot.ts";
import { resolve, type Subject } from "./resolve.ts";
import { ALL_SERVERS } from "./scope.ts";
import type { NamedItem, Snapshot, Source, UserEntry } from "./shape.ts";
import { View, type ViewOptions } from "./view.ts";

const VIEW_BUDGET_BYTES = 64 * 1024 * 1024;
/** A joined fragment above this share of the budget would evict too many others. It is joined again for each request. */
const MAX_CACHED_FRACTION = 1 / 8;
const BYTES_PER_VIEW = 512;
const BYTES_PER_REFERENCE = 8;
const BYTES_PER_ITEM = 96;

/** This process's current snapshot, and a cache of views of it. */
export class SnapshotHolder implements SnapshotSource {
  readonly #views: Lru<View>;
  /** Listings without the server's prefix, or of some of its tools. */
  readonly #relisted: Lru<Listing<NamedItem>>;
  readonly #maxCachedBytes: number;
  readonly #swapListeners: (() => void)[] = [];
  #current: Snapshot = emptySnapshot;

  constructor(viewBudgetBytes = VIEW_BUDGET_BYTES) {
    this.#views = new Lru(viewBudgetBytes);
    this.#relisted = new Lru(viewBudgetBytes / 4);
    this.#maxCachedBytes = viewBudgetBytes * MAX_CACHED_FRACTION;
  }

  current(): Snapshot {
    return this.#current;
  }

  /** Views depend on sources and groups only, so changed users and credentials leave the cache valid. */
  swap(next: Snapshot): void {
    const sameViews =
      next.serversById === this.#current.serversById &&
      next.groups === this.#current.groups &&
      next.ownSources === this.#current.ownSources;
    this.#current = next;
    if (!sameViews) {
      this.#views.clear();
      this.#relisted.clear();
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
    const user = this.#current.usersById.get(subject.user.id);
    if (!user || user.disabled) return View.EMPTY;
    const sources = () => resolve(this.#current, { ...subject, user }, scope).sources();
    if (scope.slug !== undefined) {
      const [server] = sources();
      const gatedBy = server?.kind === "server" ? server.gatedBy : undefined;
      return new View(server ? [server] : [], this.#listedFor(scope.prefixed, gatedBy === undefined ? 0 : declared()));
    }
    const key = viewKey(this.#current, user);
    const view = this.#views.get(key) ?? this.#cachedView(key, sources(), 0);
    const mask = view.gatedBy === 0 ? 0 : declared() & view.gatedBy;
    if (mask === 0) return view;
    return this.#views.get(`${key} ${mask}`) ?? this.#cachedView(`${key} ${mask}`, view.sources, mask);
  }

  #cachedView(key: string, sources: readonly Source[], mask: CapabilityMask): View {
    const mayCache = (made: View, bytes: number) => this.#mayCache(key, made, bytes);
    const view = new View(sources, { ...this.#listedFor(true, mask), mayCache });
    this.#views.set(key, view, viewWeight(key, view));
    return view;
  }

  #listedFor(prefixed: boolean, mask: CapabilityMask): ViewOptions {
    return { listing: (source, kind) => this.#listing(source, kind, prefixed, mask) };
  }

  /** A view that a swap has evicted must not return to the cache through its weight. */
  #mayCache(key: string, view: View, bytes: number): boolean {
    if (bytes > this.#maxCachedBytes || this.#views.get(key) !== view) return false;
    this.#views.set(key, view, viewWeight(key, view) + bytes);
    return true;
  }

  /** D27: identical for everyone with access to the server and the same capabilities, so it is built once and cached. */
  #listing(source: Source, kind: ListingKind, prefixed: boolean, declared: CapabilityMask): Listing {
    if (kind !== "tools" && kind !== "prompts") return source[kind];
    const gatedBy = kind === "tools" && source.kind === "server" ? (source.gatedBy ?? 0) : 0;
    if (prefixed && gatedBy === 0) return source[kind];
    const key = `${kind} ${source.key} ${prefixed} ${declared & gatedBy}`;
    const known = this.#relisted.get(key);
    if (known) return known;
    const listing = relist(kind, source[kind], ({ slug, requires = 0 }) => {
      return (requires & ~declared) === 0 && (prefixed || slug);
    });
    this.#relisted.set(key, listing, listing.fragment.length + BYTES_PER_VIEW + listing.items.length * BYTES_PER_ITEM);
    return listing;
  }
}

function declaresNone(): CapabilityMask {
  return 0;
}

/** Access depends on the set of existing groups alone. JSON keeps two different sets from sharing a key. */
function viewKey(snapshot: Snapshot, user: UserEntry): string {
  const existing = new Set(user.groupIds.filter((groupId) => snapshot.groups.has(groupId)));
  return JSON.stringify([...existing].sort());
}

function viewWeight(key: string, view: View): number {
  const references = view.sources.length * BYTES_PER_REFERENCE;
  return BYTES_PER_VIEW + key.length + view.warnings.length + references + view.cachedBytes();
}
