import { LIST_KINDS, type ListKind } from "../snapshot/list-kinds.ts";
import type { ListingKind } from "../snapshot/listing.ts";
import type { View } from "../snapshot/view.ts";
import { shortHash } from "./stream-memory.ts";

/** The protocol announces changes of templates as changes of resources. */
export const LISTINGS: Readonly<Record<ListKind, readonly ListingKind[]>> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};

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
function hashOf({ sources }: View, kind: ListKind): string {
  const listed = sources.filter((source) => LISTINGS[kind].some((each) => source[each].items.length > 0));
  const parts = listed.map((source) => [
    source.key,
    ...LISTINGS[kind].map((each) => fragmentHash(source[each].fragment)),
  ]);
  return shortHash(JSON.stringify(parts));
}

function fragmentHash(fragment: Buffer): string {
  const known = ofFragment.get(fragment);
  if (known !== undefined) return known;
  const hash = shortHash(fragment);
  ofFragment.set(fragment, hash);
  return hash;
}
