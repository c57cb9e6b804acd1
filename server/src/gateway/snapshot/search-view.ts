import { EMPTY_LISTING } from "./listing.ts";
import { SEARCH_SOURCE } from "./search-source.ts";
import { View } from "./view.ts";

/** Lists the tools of tool search instead of those of `view`, with its prompts and resources. */
export function searchView(view: View): View {
  if (view === View.EMPTY) return view;
  const sources = [...view.sources, SEARCH_SOURCE].sort((a, b) => (a.key < b.key ? -1 : 1));
  return new View(sources, {
    resources: (source, kind) => view.listing(source, kind),
    named: (source, kind) => {
      if (source === SEARCH_SOURCE) return SEARCH_SOURCE[kind];
      return kind === "tools" ? EMPTY_LISTING : view.named(source, kind);
    },
  });
}
