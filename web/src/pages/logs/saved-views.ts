/** What the address held when somebody gave it a name. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

export const VIEWS_KEY = "gatehouse-log-views";
const MOST_VIEWS = 50;

/** What a browser kept for us, or what somebody else made of it. */
export function readViews(kept: string | undefined): SavedView[] {
  try {
    const value: unknown = JSON.parse(kept ?? "[]");
    return Array.isArray(value) ? value.flatMap(readView).slice(0, MOST_VIEWS) : [];
  } catch {
    return [];
  }
}

function readView(value: unknown): SavedView[] {
  // Each member is looked at before it is used.
  const { name, search } = (value ?? {}) as { readonly name?: unknown; readonly search?: unknown };
  if (typeof name !== "string" || name === "" || typeof search !== "object" || search === null) return [];
  const texts = Object.entries(search).filter(([, text]) => typeof text === "string");
  return [{ name, search: Object.fromEntries(texts) }];
}

/** The same name is the same view. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const others = views.filter(({ name }) => name !== view.name);
  return [...others, view].toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_VIEWS);
}
