import { LIST_KINDS, type ListKind } from "../snapshot/list-kinds.ts";
import type { Listing, ListingKind } from "../snapshot/listing.ts";
import type { View } from "../snapshot/view.ts";
import { shortHash } from "./stream-memory.ts";

/** The protocol announces changes of templates as changes of resources. */
export const LISTINGS: Readonly<Record<ListKind, readonly ListingKind[]>> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};

/** The contribution of a source to a list of a view. */
export interface Listed {
  readonly key: string;
  readonly listings: readonly Listing[];
}

export function listedBy(view: View, kind: ListKind): Listed[] {
  return view.sources
    .map((source) => ({ key: source.key, listings: LISTINGS[kind].map((each) => view.listing(source, each)) }))
    .filter(({ listings }) => listings.some(({ items }) => items.length > 0));
}

const ofView = new WeakMap<View, Record<ListKind, string>>();
/** Sources that did not change keep their fragments. */
const ofFragment = new WeakMap<Buffer, string>();

/** Hashes of the lists of a view, which every process computes alike. */
export function listHashes(view: View): Record<ListKind, string> {
  const known = ofView.get(view);
  if (known) return known;
  const entries = LIST_KINDS.map((kind) => [kind, hashOf(view, kind)] as const);
  const hashes = Object.fromEntries(entries) as Record<ListKind, string>; // of exactly these kinds
  ofView.set(view, hashes);
  return hashes;
}

/** With the keys of the sources, which are part of qualified URIs (D37). */
function hashOf(view: View, kind: ListKind): string {
  const parts = listedBy(view, kind).map(({ key, listings }) => {
    return [key, ...listings.map(({ fragment }) => fragmentHash(fragment))];
  });
  return shortHash(JSON.stringify(parts));
}

function fragmentHash(fragment: Buffer): string {
  const known = ofFragment.get(fragment);
  if (known !== undefined) return known;
  const hash = shortHash(fragment);
  ofFragment.set(fragment, hash);
  return hash;
}
