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
  /** Listings without the server's prefix, by kind and server id. */
  readonly #unprefixed: Lru<Listing<NamedItem>>;
  readonly #withoutPrefixes: ViewOptions = { listing: (source, kind) => this.#unprefixedListing(source, kind) };
  readonly #maxCachedBytes: number;
  readonly #swapListeners: (() => void)[] = [];
  #current: Snapshot = emptySnapshot;

  constructor(viewBudgetBytes = VIEW_BUDGET_BYTES) {
    this.#views = new Lru(viewBudgetBytes);
    this.#unprefixed = new Lru(viewBudgetBytes / 4);
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
      this.#unprefixed.clear();
    }
    for (const listener of this.#swapListeners) listener();
  }

  /** Called after each swap; must not block. */
  onSwap(listener: () => void): void {
    this.#swapListeners.push(listener);
  }

  /** Looks the user up again, because the request may have waited since it was authenticated. */
  viewFor(subject: Subject, scope = ALL_SERVERS): View {
    const user = this.#current.usersById.get(subject.user.id);
    if (!user || user.disabled) return View.EMPTY;
    const sources = () => resolve(this.#current, { ...subject, user }, scope).sources();
    if (scope.slug !== undefined) return new View(sources(), scope.prefixed ? {} : this.#withoutPrefixes);
    const key = viewKey(this.#current, user);
    const known = this.#views.get(key);
    if (known) return known;
    const view = new View(sources(), { mayCache: (made, bytes) => this.#mayCache(key, made, bytes) });
    this.#views.set(key, view, viewWeight(key, view));
    return view;
  }

  /** A view that a swap has evicted must not return to the cache through its weight. */
  #mayCache(key: string, view: View, bytes: number): boolean {
    if (bytes > this.#maxCachedBytes || this.#views.get(key) !== view) return false;
    this.#views.set(key, view, viewWeight(key, view) + bytes);
    return true;
  }

  /** D27: identical for everyone with access to the server, so it is built once and cached. */
  #unprefixedListing(source: Source, kind: ListingKind): Listing {
    if (kind !== "tools" && kind !== "prompts") return source[kind];
    const key = `${kind} ${source.key}`;
    const known = this.#unprefixed.get(key);
    if (known) return known;
    const listing = relist(kind, source[kind], ({ slug }) => slug);
    this.#unprefixed.set(
      key,
      listing,
      listing.fragment.length + BYTES_PER_VIEW + listing.items.length * BYTES_PER_ITEM,
    );
    return listing;
  }
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
