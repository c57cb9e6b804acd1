import { deleteConnectLinksOfUser } from "#records/connect-links";
import { deleteConnectionsOfUser } from "#records/connections";
import { deleteFlowsOfUser } from "#records/oauth-flows";
import type { SessionEnd } from "#records/web-sessions";
import { endEverywhere } from "./end-everywhere.ts";

/**
 * Deletes everything that an account holds before somebody else may get it: web sessions, MCP clients, connections, and
 * everything that would become one of these.
 */
export async function resetAccount(end: SessionEnd, userId: string) {
  const ended = await endEverywhere(end, userId);
  const deleted_connections = await deleteConnectionsOfUser(end.tx, end.trail, userId);
  await deleteConnectLinksOfUser(end.tx, userId);
  await deleteFlowsOfUser(end.tx, userId);
  return { ...ended, deleted_connections };
}
