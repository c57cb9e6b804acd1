/** The part of the gateway that a request addresses (D27). Lists and calls are both resolved within it. */
export interface Scope {
  /** Only this server; undefined: every source that the caller can access. */
  readonly slug: string | undefined;
  /** Whether names have the `{slug}__` prefix. */
  readonly prefixed: boolean;
  /** The slug of the only toolkit that the view has; undefined: the caller's default view. */
  readonly toolkit?: string | undefined;
  /** Lists the three tools of tool search instead of the tools themselves (F13). */
  readonly tools?: "search" | undefined;
  /** Also lists two tools that list and load skills. */
  readonly skillTools?: true | undefined;
}

export const ALL_SERVERS: Scope = { slug: undefined, prefixed: true };

export const GATEWAY_PATH = "/mcp";
/** Clients and people append `/mcp` to a URL that already has it. No server gets this slug. */
const RESERVED_SLUG = "mcp";

const NAMED_TWICE = "Invalid Request: the URL names a server twice";
const TOOLKIT_TWICE = "Invalid Request: the request names a toolkit twice";
const UNKNOWN_TOOLS = "Invalid Request: the only value of tools in the URL is search";
const UNKNOWN_SKILL_TOOLS = "Invalid Request: the only value of skill_tools in the URL is 1";
const PATH_TWICE = "Invalid Request: the URL contains /mcp twice; use the gateway URL with /mcp once";

/** Selects a toolkit, for clients that drop the query of a URL. */
export const TOOLKIT_HEADER = "x-service-toolkit";

/**
 * Parses `/mcp`, `/mcp?mcp=<slug>`, or `/mcp/<slug>` from the request line, each optionally with `toolkit=<slug>`,
 * `tools=search` and `skill_tools=1`. `toolkitHeader` is the value of the header that selects a toolkit. Returns an error message if they name
 * more than one server or toolkit, because guessing which one is meant would be unsafe.
 */
export function scopeOf(target: string, toolkitHeader?: string): Scope | string {
  if (target === GATEWAY_PATH && toolkitHeader === undefined) return ALL_SERVERS;
  const query = target.indexOf("?");
  const parameters = query === -1 ? undefined : new URLSearchParams(target.slice(query));
  const scope = serversOf(pathOf(target), parameters?.getAll("mcp") ?? []);
  if (typeof scope === "string") return scope;
  const toolkit = toolkitOf(parameters?.getAll("toolkit") ?? [], toolkitHeader);
  if (toolkit === TOOLKIT_TWICE) return toolkit;
  const tools = parameters && toolsOf(parameters);
  if (typeof tools === "string") return tools;
  return toolkit === undefined ? { ...scope, ...tools } : { ...scope, toolkit, ...tools };
}

/** Which tools of the gateway are listed. */
function toolsOf(parameters: URLSearchParams): Pick<Scope, "tools" | "skillTools"> | string {
  const tools = parameters.getAll("tools");
  // A misspelled value must not fill the context of a model with every tool.
  if (!tools.every((value) => value === "search")) return UNKNOWN_TOOLS;
  const skillTools = parameters.getAll("skill_tools");
  if (!skillTools.every((value) => value === "1")) return UNKNOWN_SKILL_TOOLS;
  return { ...(tools.length > 0 && { tools: "search" }), ...(skillTools.length > 0 && { skillTools: true }) };
}

/** URL and header can both name the toolkit if they agree (F44). A repeated header arrives as a list. */
function toolkitOf(named: readonly string[], header: string | undefined): string | undefined {
  const [first = header] = named;
  const isAmbiguous = named.length > 1 || header?.includes(",") || (header !== undefined && header !== first);
  return isAmbiguous ? TOOLKIT_TWICE : first;
}

/** The same servers with the tools themselves, and without tools of the gateway. */
export function withoutSearch(scope: Scope): Scope {
  return { ...scope, tools: undefined, skillTools: undefined };
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
