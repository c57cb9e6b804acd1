import type { ApiContext } from "#api/kit/api-context";
import { personOf, type Visitor } from "#api/kit/web-session";
import { resolve } from "#gateway/snapshot/resolve";
import { notFound, Refusal } from "#lib/errors";
import { findServer } from "#records/mcp-servers";
import { readSettings } from "#records/settings";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";

/** Rejects the caller if an admin has turned access requests off. */
export async function requireAccessRequests(db: MainDb): Promise<void> {
  const { access_requests: isOn } = await readSettings(db);
  if (!isOn) throw new Refusal("forbidden", "Access requests are turned off");
}

/** A server that people can request: active, and with an upstream. */
export async function requireRequestableServer(db: MainDb, slug: string): Promise<McpServerRow> {
  const server = await findServer(db, slug);
  if (!server || !isRequestable(server)) throw notFound.mcpServer();
  return server;
}

export function isRequestable({ status, upstream_url: url }: Pick<McpServerRow, "status" | "upstream_url">): boolean {
  return status === "active" && url !== null;
}

/** Which tools of a server the caller can call, by their names at the server. */
export function grantedTo(
  { snapshots }: Pick<ApiContext, "snapshots">,
  visitor: Visitor | undefined,
): (serverId: string) => { readonly isReached: boolean; grants(tool: string): boolean } {
  const snapshot = snapshots.current();
  const user = snapshot.usersById.get(personOf(visitor).user.id);
  const resolution = user && resolve(snapshot, { user });
  return (serverId) => {
    const server = snapshot.serversById.get(serverId);
    const isReached = (server && resolution?.reach(server).reached) ?? false;
    return { isReached, grants: (tool) => (server && resolution?.reach(server, tool).reached) ?? false };
  };
}
