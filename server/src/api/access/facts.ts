import { connectsAutomatically } from "#connect/connect";
import type { ServerEntry } from "#gateway/snapshot/shape";
import { connectionStatesOfServer, findConnection } from "#records/connections";
import { groupNames } from "#records/groups";
import { findServerById } from "#records/mcp-servers";
import { listedToolsOf } from "#records/server-tools";
import { usersWithClientCredentials } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";

export type ConnectionState = "not_required" | "connected" | "reconnect_needed" | "not_connected";

/** What the database knows and the snapshot does not. For admins only. */
export interface Facts {
  readonly groupNames: ReadonlyMap<string, string>;
  /** The error of the last sync. */
  readonly syncError: string | undefined;
  /** Why callers do not see an existing tool. Undefined: the tool does not exist or is visible. */
  readonly hiddenTool: "disabled" | "held" | undefined;
  /** The user's connection, if the server authenticates each user. */
  readonly connection: ConnectionState;
}

/** `tool` is the part of the gateway name after the server's slug. */
export async function readFacts(
  db: MainDb,
  server: ServerEntry | undefined,
  tool: string,
  connectionTo: (server: McpServerRow) => Promise<ConnectionState>,
): Promise<Facts> {
  const nothing = { groupNames: new Map(), syncError: undefined, hiddenTool: undefined } as const;
  if (!server) return { ...nothing, connection: "not_required" };
  const record = await findServerById(db, server.id);
  return {
    groupNames: await groupNames(db, [...server.groupIds]),
    syncError: record?.sync_error ?? undefined,
    hiddenTool: await hiddenTool(db, server, tool),
    connection: record ? await connectionTo(record) : "not_required",
  };
}

export async function hiddenTool(db: MainDb, server: ServerEntry, name: string): Promise<Facts["hiddenTool"]> {
  const tools = await listedToolsOf(db, server.id);
  const tool = tools.find((one) => one.slug === name) ?? tools.find((one) => one.upstream_name === name);
  return tool?.enabled === false ? "disabled" : tool?.held ? "held" : undefined;
}

/** The state of one user. */
export async function connectionState(
  db: MainDb,
  vault: Vault,
  user: UserRow,
  server: McpServerRow,
): Promise<ConnectionState> {
  if (!requiresConnection(server)) return "not_required";
  const connection = await findConnection(db, user.id, server.id);
  return connection?.state ?? (connectsAutomatically(vault, user, server) ? "connected" : "not_connected");
}

/** The states of all users, by id, with two queries. */
export async function connectionStates(
  db: MainDb,
  vault: Vault,
  server: McpServerRow,
): Promise<(userId: string) => ConnectionState> {
  if (!requiresConnection(server)) return () => "not_required";
  const stored = await connectionStatesOfServer(db, server.id);
  const clients = server.auth_type === "proxy-oauth" ? await usersWithClientCredentials(db) : [];
  const automatic = new Set(clients.filter((user) => connectsAutomatically(vault, user, server)).map(({ id }) => id));
  return (userId) => stored.get(userId) ?? (automatic.has(userId) ? "connected" : "not_connected");
}

function requiresConnection({ upstream_url: url, auth_type: type }: McpServerRow): boolean {
  return url !== null && (type === "proxy-oauth" || type === "proxy-api-key");
}
