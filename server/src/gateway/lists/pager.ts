import { joinFragments, type ListingKind } from "../snapshot/listing.ts";
import type { View } from "../snapshot/view.ts";

/** Lists up to this size have no `nextCursor`, because some clients ignore it. */
const ITEMS_PER_PAGE = 1_000;

export interface Page {
  readonly fragment: Buffer;
  readonly nextCursor: string | undefined;
}

/**
 * Pages end between sources. The cursor is the key of the last listed source, so a list that changes between two pages
 * neither repeats nor skips unchanged items. Undefined if the cursor is invalid.
 */
export function pageOf(view: View, kind: ListingKind, cursor: string | undefined): Page | undefined {
  if (cursor === undefined && view.count(kind) <= ITEMS_PER_PAGE) {
    return { fragment: view.fragment(kind), nextCursor: undefined };
  }
  const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString("utf8");
  if (cursor !== undefined && Buffer.from(after).toString("base64url") !== cursor) return undefined;
  const remaining = view.portions(kind).filter((portion) => portion.key > after);
  let count = 0;
  let taken = 0;
  for (const portion of remaining) {
    if (taken > 0 && count + portion.count > ITEMS_PER_PAGE) break;
    count += portion.count;
    taken++;
  }
  const last = taken < remaining.length ? remaining[taken - 1] : undefined;
  return {
    fragment: joinFragments(remaining.slice(0, taken).map((portion) => portion.fragment())),
    nextCursor: last && Buffer.from(last.key).toString("base64url"),
  };
}
