import { endCredentialsOfUser } from "#records/auth-exchange";
import { endGrantsOfUser } from "#records/oauth-grants";
import { deleteWebSessionsOfUser, type SessionEnd } from "#records/web-sessions";

/**
 * Ends a person's web sessions, except `keptSessionId`, the grants of their MCP clients, and exchanged credentials. An attacker in one of the
 * browsers may have connected an MCP client that would outlive the session.
 */
export async function endEverywhere(end: SessionEnd, userId: string, keptSessionId?: string) {
  const ended_web_sessions = await deleteWebSessionsOfUser(end, userId, keptSessionId);
  const ended_clients = await endGrantsOfUser(end, userId);
  const ended_exchanged = await endCredentialsOfUser(end, userId);
  return { ended_web_sessions, ended_clients, ...(ended_exchanged > 0 && { ended_exchanged }) };
}
