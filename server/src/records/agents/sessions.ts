import { decodeCursor, encodeCursor } from "#lib/cursor";
import type { AgentSessionRow, AgentStepRow, SessionStatus } from "#storage/agent-tables";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";

const SESSION_ID = /^ses_\w+$/;
const OPEN: readonly SessionStatus[] = ["queued", "running", "waiting_approval"];

export function isOpen(status: SessionStatus): boolean {
  return OPEN.includes(status);
}

export interface SessionFilter {
  readonly agentId: string;
  readonly status?: SessionStatus | undefined;
  readonly cause?: AgentSessionRow["cause"] | undefined;
  /** ID of the actor who started it. */
  readonly requestedBy?: string | undefined;
}

/** Newest first. Throws if the cursor is invalid. */
export async function listSessions(
  db: MainDb,
  { agentId, status, cause, requestedBy }: SessionFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ rows: AgentSessionRow[]; nextCursor: string | undefined }> {
  let query = db.selectFrom("agent_sessions").selectAll().where("agent_id", "=", agentId);
  if (status !== undefined) query = query.where("status", "=", status);
  if (cause !== undefined) query = query.where("cause", "=", cause);
  if (requestedBy !== undefined) query = query.where("requested_by_id", "=", requestedBy);
  if (cursor !== undefined) {
    const after = decodeCursor(cursor, SESSION_ID);
    query = query.where((row) => row(row.refTuple("created_at", "id"), "<", row.tuple(after.at, after.id)));
  }
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isMore = last !== undefined && rows.length > limit;
  return { rows: page, nextCursor: isMore ? encodeCursor({ at: last.created_at, id: last.id }) : undefined };
}

export async function findSession(db: MainDb, agentId: string, id: string): Promise<AgentSessionRow | undefined> {
  return sessionQuery(db, agentId, id).executeTakeFirst();
}

export async function lockSession(
  tx: MainTransaction,
  agentId: string,
  id: string,
): Promise<AgentSessionRow | undefined> {
  return lockRows(tx, sessionQuery(tx, agentId, id)).executeTakeFirst();
}

function sessionQuery(db: MainDb, agentId: string, id: string) {
  return db.selectFrom("agent_sessions").selectAll().where("agent_id", "=", agentId).where("id", "=", id);
}

export async function insertSession(tx: MainTransaction, row: AgentSessionRow): Promise<void> {
  await tx.insertInto("agent_sessions").values(row).execute();
}

export async function countSessions(
  db: MainDb,
  agentId: string,
  statuses: readonly SessionStatus[] = OPEN,
): Promise<number> {
  const { n } = await db
    .selectFrom("agent_sessions")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("agent_id", "=", agentId)
    .where("status", "in", statuses)
    .executeTakeFirstOrThrow();
  return n;
}

/** The newest session of each of these agents. */
export async function lastSessions(
  db: MainDb,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, AgentSessionRow>> {
  const last = new Map<string, AgentSessionRow>();
  for (const agentId of agentIds) {
    const { rows } = await listSessions(db, { agentId }, { limit: 1, cursor: undefined });
    if (rows[0]) last.set(agentId, rows[0]);
  }
  return last;
}

/** In the order in which they happened. */
export async function listSteps(
  db: MainDb,
  sessionId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<AgentStepRow[]> {
  return db
    .selectFrom("agent_steps")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("position")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** Steps after this position, in the order in which they happened. */
export async function stepsAfter(
  db: MainDb,
  sessionId: string,
  { position, limit }: { readonly position: number; readonly limit: number },
): Promise<AgentStepRow[]> {
  return db
    .selectFrom("agent_steps")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("position", ">", position)
    .orderBy("position")
    .limit(limit)
    .execute();
}

/** The process that runs the session sees the flag. */
export async function setCancelRequested(tx: MainTransaction, id: string): Promise<void> {
  await tx.updateTable("agent_sessions").set({ cancel_requested: true }).where("id", "=", id).execute();
}

/** IDs of sessions that have not ended. */
export async function openSessionIds(db: MainDb, agentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("agent_sessions")
    .select("id")
    .where("agent_id", "=", agentId)
    .where("ended_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

/** At most `limit` sessions that ended before. Returns the number deleted. */
export async function deleteSessionsBefore(db: MainDb, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom("agent_sessions")
    .select("id")
    .where("ended_at", "<", before)
    .orderBy("ended_at")
    .limit(limit);
  const deleted = await db.deleteFrom("agent_sessions").where("id", "in", old).returning("id").execute();
  return deleted.length;
}
