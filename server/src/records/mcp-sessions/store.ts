import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { McpSessionRow } from "#storage/session-tables";
import type { WriteTrail } from "#storage/transaction";
import { deleteUpstreamSessionsOf } from "./upstream-sessions.ts";

export async function endMcpSession(tx: MainTransaction, trail: WriteTrail, id: string, now: number): Promise<void> {
  await deleteUpstreamSessionsOf(tx, id);
  await tx.deleteFrom("mcp_subscriptions").where("mcp_session_id", "=", id).execute();
  await save(tx, trail, id, { ended_at: now, updated_at: now });
}

export async function setMcpLogLevel(
  tx: MainTransaction,
  trail: WriteTrail,
  id: string,
  level: string,
  now: number,
): Promise<void> {
  await save(tx, trail, id, { log_level: level, updated_at: now });
}

async function save(
  tx: MainTransaction,
  trail: WriteTrail,
  id: string,
  said: Partial<McpSessionRow> & Pick<McpSessionRow, "updated_at">,
): Promise<void> {
  await tx
    .insertInto("mcp_sessions")
    .values({ id, log_level: null, ended_at: null, ...said })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(said))
    .execute();
  trail.changed("session", id);
}

/** Notifies every process that state attached to the session has changed; the row itself stays unchanged. */
export async function rememberMcpSession(
  tx: MainTransaction,
  trail: WriteTrail,
  id: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto("mcp_sessions")
    .values({ id, log_level: null, ended_at: null, updated_at: now })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  trail.changed("session", id);
}

export async function mcpSessionsByIds(db: MainDb, ids: Iterable<string>): Promise<McpSessionRow[]> {
  return db
    .selectFrom("mcp_sessions")
    .selectAll()
    .where("id", "in", idList(db, [...ids]))
    .execute();
}

/** The most recently ended sessions, in ascending order. */
export async function endedMcpSessions(db: MainDb, limit: number): Promise<McpSessionRow[]> {
  const ended = db.selectFrom("mcp_sessions").selectAll().where("ended_at", "is not", null);
  return (await ended.orderBy("updated_at", "desc").limit(limit).execute()).reverse();
}

/** As many ended sessions as each process remembers. Callers can end any number. */
const MAX_ROWS = 100_000;

/** Keeps the rows that were changed last. */
export async function trimMcpSessions(db: MainDb, most = MAX_ROWS): Promise<void> {
  const oldest = await db
    .selectFrom("mcp_sessions")
    .select("updated_at")
    .orderBy("updated_at", "desc")
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await db.deleteFrom("mcp_sessions").where("updated_at", "<=", oldest.updated_at).execute();
}

export async function deleteMcpSessionsBefore(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("mcp_sessions").where("updated_at", "<", before).execute();
}
