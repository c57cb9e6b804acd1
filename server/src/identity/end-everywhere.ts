import { endGrantsOfUser } from "#records/oauth-grants";
import { deleteWebSessionsOfUser, type SessionEnd } from "#records/web-sessions";

/**
 * Ends a person's web sessions, except `keptSessionId`, and the grants of their MCP clients. An attacker in one of the
 * browsers may have connected an MCP client that would outlive the session.
 */
export async function endEverywhere(end: SessionEnd, userId: string, keptSessionId?: string) {
  const ended_web_sessions = await deleteWebSessionsOfUser(end, userId, keptSessionId);
  const ended_clients = await endGrantsOfUser(end, userId);
  return { ended_web_sessions, ended_clients };
}
