/** Search parameters that the user saved under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

export const VIEWS_KEY = "gatehouse-log-views";
const MAX_VIEWS = 50;

/** Reads the views from local storage. Invalid content is ignored. */
export function readViews(kept: string | undefined): SavedView[] {
  try {
    const value: unknown = JSON.parse(kept ?? "[]");
    return Array.isArray(value) ? value.flatMap(readView).slice(0, MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

function readView(value: unknown): SavedView[] {
  // Each member is checked before use.
  const { name, search } = (value ?? {}) as { readonly name?: unknown; readonly search?: unknown };
  if (typeof name !== "string" || name === "" || typeof search !== "object" || search === null) return [];
  const texts = Object.entries(search).filter(([, text]) => typeof text === "string");
  return [{ name, search: Object.fromEntries(texts) }];
}

/** Replaces a view of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const others = views.filter(({ name }) => name !== view.name);
  return [...others, view].toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MAX_VIEWS);
}
