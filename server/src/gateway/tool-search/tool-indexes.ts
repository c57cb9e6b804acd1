import { Lru } from "#lib/lru";
import type { Listing } from "../snapshot/listing.ts";
import type { View } from "../snapshot/view.ts";
import { ToolIndex } from "./tool-index.ts";

const BUDGET_BYTES = 64 * 1024 * 1024;

/**
 * Search indexes of views, built on first use. An index belongs to exactly the listings that it was built from: a change
 * of any of them results in another one, and callers with the same tools share it (decision 0075).
 */
export class ToolIndexes {
  readonly #indexes: Lru<ToolIndex>;
  readonly #pending = new Map<string, Promise<ToolIndex>>();
  readonly #idOf = new WeakMap<Listing, number>();
  #ids = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(budgetBytes = BUDGET_BYTES) {
    this.#indexes = new Lru(budgetBytes);
  }

  get size(): number {
    return this.#indexes.size;
  }

  /** A promise only if the index has to be built. */
  indexOf(view: View): ToolIndex | Promise<ToolIndex> {
    const listings = toolListings(view);
    const key = listings.map((listing) => this.#identify(listing)).join(" ");
    return this.#indexes.get(key) ?? this.#pending.get(key) ?? this.#build(key, listings);
  }

  /** One after another, because each keeps the processor busy. */
  #build(key: string, listings: readonly Listing[]): Promise<ToolIndex> {
    const built = this.#queue
      .then(() => ToolIndex.build(listings))
      .then((index) => {
        this.#indexes.set(key, index, index.bytes + key.length);
        return index;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, built);
    this.#queue = built.catch(() => undefined);
    return built;
  }

  #identify(listing: Listing): number {
    const known = this.#idOf.get(listing);
    if (known !== undefined) return known;
    this.#idOf.set(listing, ++this.#ids);
    return this.#ids;
  }
}

/** In the order of the list that the view answers; positions in an index count through them. */
export function toolListings(view: View): Listing[] {
  return view.sources.map((source) => view.listing(source, "tools")).filter(({ items }) => items.length > 0);
}
