/** The upstream sessions of mcp sessions as rows, by which any process goes on with what another has opened. */
import type { SharedPlace, SharedSession, SharedSessions } from "#gateway/ports";
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

export interface SharedSessionsNeeds extends WriteContext {
  readonly vault: Vault;
  readonly logger: Logger;
}

/** Well above how often processes say that they still use one. */
const UNUSED_MS = 15 * 60 * 1000;
/** A row that was there when ours was refused may be gone when we look. */
const MOST_TRIES = 3;

export function createSharedSessions({ db, clock, newId, vault, logger }: SharedSessionsNeeds): SharedSessions {
  /** Whoever looks for a session after it was lost must not find that one. */
  const leaving = new Set<Promise<unknown>>();
  const placeOf = (row: string) => ({ table: "upstream_sessions", row, column: "sealed_session" });

  async function read(place: SharedPlace): Promise<SharedSession | undefined> {
    const row = await findUpstreamSession(db, place);
    if (!row) return undefined;
    const [sessionId, version, logs] = JSON.parse(vault.open("mcp-session", placeOf(row.id), row.sealed_session));
    return { id: row.id, sessionId, version, logs };
  }

  /** While the database is away, a process has its sessions for itself. */
  async function orElse<Result>(otherwise: Result, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      logger.warn({ err: error }, "an upstream session could not be shared");
      return otherwise;
    }
  }

  return {
    find: (place) =>
      orElse({ session: undefined, logLevel: undefined }, async () => {
        await Promise.all(leaving);
        const [session, [known]] = await Promise.all([read(place), mcpSessionsByIds(db, [place.mcpSessionId])]);
        return { session, logLevel: known?.log_level ?? undefined };
      }),
    share: (place, { sessionId, version, logs }) =>
      orElse(undefined, async () => {
        for (let tries = 0; tries < MOST_TRIES; tries++) {
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
      orElse([], async () => {
        const rows = await upstreamSessionsOf(db, mcpSessionIds);
        return rows.map(({ mcp_session_id, server_id }) => ({ mcpSessionId: mcp_session_id, serverId: server_id }));
      }),
    async lost(id) {
      const left = orElse(false, () => deleteUpstreamSession(db, id, Number.MAX_SAFE_INTEGER));
      leaving.add(left);
      await left.finally(() => leaving.delete(left));
    },
    touch: (ids) => orElse(undefined, () => touchUpstreamSessions(db, ids, clock.now())),
    release: (id) => orElse(false, () => deleteUpstreamSession(db, id, clock.now() - UNUSED_MS)),
  };
}
