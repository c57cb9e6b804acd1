import { isSlug } from "#lib/slug";

/** The one scope there is: to act as the user at the gateway. What they reach is decided at each call. */
export const SCOPE = "mcp";

const MCP = "/mcp";

/**
 * RFC 8707: what a client wants a token for, as a path of the gateway. A slash at the end and a query do not count, and
 * the gateway's bare address means all of it. Undefined: it is not ours.
 */
export function resourcePath(gatewayUrl: string, resource: string): string | undefined {
  const [ours, wanted] = [URL.parse(gatewayUrl), URL.parse(resource)];
  if (!ours || wanted?.origin !== ours.origin || wanted.username !== "" || wanted.hash !== "") return undefined;
  const [root, path] = [withoutSlash(ours.pathname), withoutSlash(wanted.pathname)];
  if (path === root) return MCP;
  if (!path.startsWith(`${root}${MCP}`)) return undefined;
  return gatewayPath(path.slice(root.length));
}

/** `/mcp` or `/mcp/<slug>`; which slugs there are is told to nobody here (D27). */
export function gatewayPath(path: string): string | undefined {
  if (path === MCP) return MCP;
  return path.startsWith(`${MCP}/`) && isSlug(path.slice(MCP.length + 1)) ? path : undefined;
}

/** The only path at which a token for this resource counts; undefined: all of the gateway is meant. */
export function onlyPath(path: string): string | undefined {
  return path === MCP ? undefined : path;
}

export function resourceUrl(gatewayUrl: string, path = MCP): string {
  return `${withoutSlash(gatewayUrl)}${path}`;
}

export function withoutSlash(text: string): string {
  return text.replace(/\/+$/, "");
}
