import { endGrantsOfUser } from "#records/oauth-grants";
import { deleteWebSessionsOfUser, type SessionEnd } from "#records/web-sessions";

/**
 * Ends every way in that a person has opened: browsers, but for one that may stay, and the programs that were connected
 * from them. Whoever sat in one of those browsers may have connected a program of their own, which would outlive it.
 */
export async function endEverywhere(end: SessionEnd, userId: string, stays?: string) {
  const ended_web_sessions = await deleteWebSessionsOfUser(end, userId, stays);
  const ended_clients = await endGrantsOfUser(end, userId);
  return { ended_web_sessions, ended_clients };
}
