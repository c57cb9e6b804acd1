/**
 * Stores the upstream sessions of MCP sessions, so that any process can continue with a session that another one
 * opened.
 */
import type { SharedPlace, SharedSession, SharedSessions } from "#gateway/session-ports";
import type { Logger } from "#lib/logger";
import {
  deleteUpstreamSession,
  findUpstreamSession,
  insertUpstreamSession,
  mcpSessionsByIds,
  touchUpstreamSessions,
  upstreamSessionsOf,
} from "#records/mcp-sessions";
import type { WriteContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";

export interface SharedSessionsDependencies extends WriteContext {
  readonly vault: Vault;
  readonly logger: Logger;
}

/** Far longer than the interval at which processes report that they still use a session. */
const UNUSED_MS = 15 * 60 * 1000;
/** The row that blocked our insert may be gone when we read it. */
const MAX_ATTEMPTS = 3;

export function createSharedSessions({ db, clock, newId, vault, logger }: SharedSessionsDependencies): SharedSessions {
  /** Deletions in progress: a lookup after a session was lost must not find that session. */
  const pendingDeletions = new Set<Promise<unknown>>();
  const placeOf = (row: string) => ({ table: "upstream_sessions", row, column: "sealed_session" });

  async function read(place: SharedPlace): Promise<SharedSession | undefined> {
    const row = await findUpstreamSession(db, place);
    if (!row) return undefined;
    const [sessionId, version, logs] = JSON.parse(vault.open("mcp-session", placeOf(row.id), row.sealed_session));
    return { id: row.id, sessionId, version, logs };
  }

  /** While the database is unavailable, a process does not share its sessions. */
  async function withFallback<Result>(fallback: Result, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      logger.warn({ err: error }, "an upstream session could not be shared");
      return fallback;
    }
  }

  return {
    find: (place) =>
      withFallback({ session: undefined, logLevel: undefined }, async () => {
        await Promise.all(pendingDeletions);
        const [session, [known]] = await Promise.all([read(place), mcpSessionsByIds(db, [place.mcpSessionId])]);
        return { session, logLevel: known?.log_level ?? undefined };
      }),
    share: (place, { sessionId, version, logs }) =>
      withFallback(undefined, async () => {
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
          const id = newId("ses");
          const sealed_session = vault.seal("mcp-session", placeOf(id), JSON.stringify([sessionId, version, logs]));
          const row = { id, sealed_session };
          if (await insertUpstreamSession(db, place, row, clock.now())) return { id, sessionId, version, logs };
          const other = await read(place);
          if (other) return other;
        }
        return undefined;
      }),
    serversOf: (mcpSessionIds) =>
      withFallback(undefined, async () => {
        const rows = await upstreamSessionsOf(db, mcpSessionIds);
        return rows.map(({ mcp_session_id, server_id }) => ({ mcpSessionId: mcp_session_id, serverId: server_id }));
      }),
    async lost(id) {
      const deletion = withFallback(false, () => deleteUpstreamSession(db, id, Number.MAX_SAFE_INTEGER));
      pendingDeletions.add(deletion);
      await deletion.finally(() => pendingDeletions.delete(deletion));
    },
    touch: (ids) => withFallback(undefined, () => touchUpstreamSessions(db, ids, clock.now())),
    release: (id) => withFallback(false, () => deleteUpstreamSession(db, id, clock.now() - UNUSED_MS)),
  };
}
