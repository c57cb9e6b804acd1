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
  if (!ours || !wanted || !isSamePlace(ours, wanted) || wanted.username !== "" || wanted.hash !== "") return undefined;
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

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * The gateway as whoever sent this Host header knows it: clients insist on the very address that they were told, and on
 * the machine itself people say `localhost` as well as `127.0.0.1`. Everywhere else only the public address counts.
 */
export function gatewayUrlAt(gatewayUrl: string, host: string | undefined): string {
  const [ours, asked] = [URL.parse(gatewayUrl), URL.parse(`http://${host}`)];
  if (!ours || !asked || !isSamePlace(ours, asked)) return withoutSlash(gatewayUrl);
  return `${asked.origin}${withoutSlash(ours.pathname)}`;
}

function isSamePlace(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true;
  const both = [one, other].every(({ protocol, hostname }) => protocol === "http:" && isLoopbackHost(hostname));
  return both && one.port === other.port;
}

export function withoutSlash(text: string): string {
  return text.replace(/\/+$/, "");
}
