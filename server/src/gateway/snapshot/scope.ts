/** Which servers an address speaks of (D27). Everything that a request lists or calls goes through it. */
export interface Scope {
  /** Only this server; undefined: all that the caller reaches. */
  readonly slug: string | undefined;
  /** Whether names carry `{slug}__`. */
  readonly prefixed: boolean;
}

export const ALL_SERVERS: Scope = { slug: undefined, prefixed: true };

const ADDRESS = "/mcp";

/**
 * `/mcp`, `/mcp?mcp=<slug>` or `/mcp/<slug>`, as it stands in the request line. Undefined: it names a server more than
 * once, and which one counts must not be a matter of taste.
 */
export function scopeOf(target: string): Scope | undefined {
  if (target === ADDRESS) return ALL_SERVERS;
  const query = target.indexOf("?");
  const path = pathOf(target);
  const named = query === -1 ? [] : new URLSearchParams(target.slice(query)).getAll("mcp");
  if (path !== ADDRESS) {
    return named.length > 0 ? undefined : { slug: path.slice(ADDRESS.length + 1), prefixed: false };
  }
  if (named.length > 1) return undefined;
  return named.length === 0 ? ALL_SERVERS : { slug: named[0], prefixed: true };
}

export function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
