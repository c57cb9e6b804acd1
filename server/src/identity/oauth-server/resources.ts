import { isSlug } from "#lib/slug";
import { findServer } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";

/** The only scope: act as the user at the gateway. Access is checked for each call. */
export const SCOPE = "mcp";

const MCP = "/mcp";

/**
 * RFC 8707: the requested resource as a path of the gateway. A trailing slash and a query are ignored, and the gateway's
 * root means the whole gateway. Undefined: not a resource of this gateway.
 */
export function resourcePath(gatewayUrl: string, resource: string): string | undefined {
  const [own, wanted] = [URL.parse(gatewayUrl), URL.parse(resource)];
  if (!own || !wanted || !isSameHost(own, wanted) || wanted.username !== "" || wanted.hash !== "") return undefined;
  const [root, path] = [withoutSlash(own.pathname), withoutSlash(wanted.pathname)];
  if (path === root) return MCP;
  if (!path.startsWith(`${root}${MCP}`)) return undefined;
  return gatewayPath(path.slice(root.length));
}

/** `/mcp` or `/mcp/<slug>`. Whether the slug exists is not revealed (D27). */
export function gatewayPath(path: string): string | undefined {
  if (path === MCP) return MCP;
  return path.startsWith(`${MCP}/`) && isSlug(path.slice(MCP.length + 1)) ? path : undefined;
}

/** The only path that accepts a token for this resource; undefined: all paths. */
export function onlyPath(path: string): string | undefined {
  return path === MCP ? undefined : path;
}

/** The server that the path means now; undefined: all servers, or none has the slug. */
export async function serverIdAt(db: MainDb, path: string): Promise<string | undefined> {
  const only = onlyPath(path);
  return only === undefined ? undefined : (await findServer(db, only.slice(MCP.length + 1)))?.id;
}

export function resourceUrl(gatewayUrl: string, path = MCP): string {
  return `${withoutSlash(gatewayUrl)}${path}`;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * The gateway URL as the client knows it. Clients compare it with the URL they were given, and on the same machine both
 * `localhost` and `127.0.0.1` are common. For all other hosts, returns the public URL.
 */
export function gatewayUrlAt(gatewayUrl: string, host: string | undefined): string {
  const [own, requested] = [URL.parse(gatewayUrl), URL.parse(`http://${host}`)];
  if (!own || !requested || !isSameHost(own, requested)) return withoutSlash(gatewayUrl);
  return `${requested.origin}${withoutSlash(own.pathname)}`;
}

function isSameHost(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true;
  const both = [one, other].every(({ protocol, hostname }) => protocol === "http:" && isLoopbackHost(hostname));
  return both && one.port === other.port;
}

export function withoutSlash(text: string): string {
  return text.replace(/\/+$/, "");
}
