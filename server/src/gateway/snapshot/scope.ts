/** The part of the gateway that a request addresses (D27). Lists and calls are both resolved within it. */
export interface Scope {
  /** Only this server; undefined: every source that the caller can access. */
  readonly slug: string | undefined;
  /** Whether names have the `{slug}__` prefix. */
  readonly prefixed: boolean;
  /** Only this toolkit. No URL selects one yet. */
  readonly toolkit?: string | undefined;
  /** Lists the three tools of tool search instead of the tools themselves (F13). */
  readonly tools?: "search" | undefined;
}

export const ALL_SERVERS: Scope = { slug: undefined, prefixed: true };

const GATEWAY_PATH = "/mcp";
/** Clients and people append `/mcp` to a URL that already has it. No server gets this slug. */
const RESERVED_SLUG = "mcp";

const NAMED_TWICE = "Invalid Request: the URL names a server twice";
const UNKNOWN_TOOLS = "Invalid Request: the only value of tools in the URL is search";
const PATH_TWICE = "Invalid Request: the URL contains /mcp twice; use the gateway URL with /mcp once";

/**
 * Parses `/mcp`, `/mcp?mcp=<slug>`, or `/mcp/<slug>` from the request line, each optionally with `tools=search`. Returns
 * an error message if it names more than one server, because guessing which one is meant would be unsafe.
 */
export function scopeOf(target: string): Scope | string {
  if (target === GATEWAY_PATH) return ALL_SERVERS;
  const query = target.indexOf("?");
  const parameters = query === -1 ? undefined : new URLSearchParams(target.slice(query));
  const scope = serversOf(pathOf(target), parameters?.getAll("mcp") ?? []);
  const tools = parameters?.getAll("tools") ?? [];
  if (typeof scope === "string" || tools.length === 0) return scope;
  // A misspelled value must not fill the context of a model with every tool.
  return tools.every((value) => value === "search") ? { ...scope, tools: "search" } : UNKNOWN_TOOLS;
}

/** The same servers with the tools themselves. */
export function withoutSearch(scope: Scope): Scope {
  return { ...scope, tools: undefined };
}

function serversOf(path: string, named: readonly string[]): Scope | string {
  if (path !== GATEWAY_PATH) {
    const slug = slugOf(path);
    if (named.length > 0) return NAMED_TWICE;
    return slug === RESERVED_SLUG ? PATH_TWICE : { slug, prefixed: false };
  }
  if (named.length > 1) return NAMED_TWICE;
  return named.length === 0 ? ALL_SERVERS : { slug: named[0], prefixed: true };
}

/** The slug in `/mcp/<slug>`. */
export function slugOf(path: string): string {
  return path.slice(GATEWAY_PATH.length + 1);
}

export function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
