import { deleteConnectLinksOfUser } from "#records/connect-links";
import { deleteConnectionsOfUser } from "#records/connections";
import { revokeIssued } from "#records/issuers";
import { deleteFlowsOfUser } from "#records/oauth-flows";
import type { SessionEnd } from "#records/web-sessions";
import { endEverywhere } from "./end-everywhere.ts";

/**
 * Deletes everything that an account holds before somebody else may get it: web sessions, MCP clients, connections,
 * everything that would become one of these, and the API tokens and invitations that it issued.
 */
export async function resetAccount(end: SessionEnd, userId: string) {
  const ended = await endEverywhere(end, userId);
  const deleted_connections = await deleteConnectionsOfUser(end.tx, end.trail, userId);
  await deleteConnectLinksOfUser(end.tx, userId);
  await deleteFlowsOfUser(end.tx, userId);
  const revoked = await revokeIssued(end.tx, end.trail, { responsibleId: userId }, "the account was reset");
  return {
    ...ended,
    deleted_connections,
    deleted_api_tokens: revoked.tokenIds.length,
    revoked_invitations: revoked.invitations,
  };
}
