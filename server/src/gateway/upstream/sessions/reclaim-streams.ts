import type { UpstreamCredentials } from "../../ports.ts";
import type { SharedSessions } from "../../session-ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import type { SessionOpener } from "./session-opener.ts";
import type { UpstreamSessions } from "./upstream-sessions.ts";

export interface ReclaimableSession {
  readonly session: McpSession;
  /** Undefined if the caller has no access to the server. */
  readonly serverOf: (id: string) => ServerEntry | undefined;
}

export interface ReclaimStreamsDependencies {
  readonly sessions: UpstreamSessions;
  readonly opener: SessionOpener;
  readonly credentials: UpstreamCredentials;
  readonly shared: SharedSessions | undefined;
}

/**
 * Resumes the upstream sessions that other processes opened for these MCP sessions, and their server streams. Resolves to
 * false if the database could not be asked which these are.
 */
export async function reclaimStreams(
  dependencies: ReclaimStreamsDependencies,
  wanted: ReadonlyMap<string, ReclaimableSession>,
): Promise<boolean> {
  const { shared } = dependencies;
  const open = shared ? await shared.serversOf([...wanted.keys()]) : [];
  if (!open) return false;
  // One session at a time for each server: there may be very many.
  const ofServer = async ([serverId, sessions]: [string, { readonly mcpSessionId: string }[]]) => {
    for (const { mcpSessionId } of sessions) {
      const one = wanted.get(mcpSessionId);
      const server = one?.serverOf(serverId);
      // An unreachable upstream is tried again by the next call.
      if (one && server) await reclaim(dependencies, one.session, server).catch(() => {});
    }
  };
  await Promise.all([...Map.groupBy(open, ({ serverId }) => serverId)].map(ofServer));
  return true;
}

async function reclaim(
  { sessions, opener, credentials }: ReclaimStreamsDependencies,
  session: McpSession,
  server: ServerEntry,
): Promise<void> {
  const { upstream: entry } = server;
  const { userId } = session;
  if (!entry) return;
  const credential = entry.authType === "none" ? undefined : await credentials.of(server, userId);
  if (typeof credential === "string") return;
  const caller = { userId, session, credential };
  const known = sessions.known(server, entry, caller, "legacy");
  if (known) known.stream?.retry();
  else await opener.open(server, entry, caller, "legacy");
}
