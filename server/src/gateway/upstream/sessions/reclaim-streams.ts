import type { SharedSessions, UpstreamCredentials } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import type { UpstreamSessions } from "./upstream-sessions.ts";

export interface ReclaimableSession {
  readonly session: McpSession;
  /** Undefined: the caller does not reach it, or not any more. */
  readonly serverOf: (id: string) => ServerEntry | undefined;
}

export interface ReclaimStreamsNeeds {
  readonly routes: UpstreamSessions;
  readonly credentials: UpstreamCredentials;
  readonly shared: SharedSessions | undefined;
}

/** Goes on with what other processes have opened. */
export async function reclaimStreams(
  needs: ReclaimStreamsNeeds,
  wanted: ReadonlyMap<string, ReclaimableSession>,
): Promise<void> {
  const open = (await needs.shared?.serversOf([...wanted.keys()])) ?? [];
  // Of one server one after the other: there may be very many.
  const ofServer = async ([serverId, sessions]: [string, { readonly mcpSessionId: string }[]]) => {
    for (const { mcpSessionId } of sessions) {
      const one = wanted.get(mcpSessionId);
      const server = one?.serverOf(serverId);
      // Who is not reached now is asked at the next call.
      if (one && server) await hold(needs, one.session, server).catch(() => {});
    }
  };
  await Promise.all([...Map.groupBy(open, ({ serverId }) => serverId)].map(ofServer));
}

async function hold(
  { routes, credentials }: ReclaimStreamsNeeds,
  session: McpSession,
  server: ServerEntry,
): Promise<void> {
  const { upstream: entry } = server;
  const { userId } = session;
  if (!entry) return;
  const credential = entry.authType === "none" ? undefined : await credentials.of(server, userId);
  if (typeof credential === "string") return;
  const caller = { userId, session, credential };
  const known = routes.known(server, entry, caller, "legacy");
  if (known) known.stream?.retry();
  else await routes.open(server, entry, caller, "legacy");
}
