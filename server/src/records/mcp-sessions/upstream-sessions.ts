import { createHash } from "node:crypto";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { UpstreamSessionRow } from "#storage/session-tables";

/** Identifies an upstream session: the MCP session, the user, the server, and the user's grant. */
export interface UpstreamSessionPlace {
  readonly mcpSessionId: string;
  readonly userId: string;
  readonly serverId: string;
  readonly url: string;
  readonly grant: string;
}

export async function findUpstreamSession(
  db: MainDb,
  place: UpstreamSessionPlace,
): Promise<UpstreamSessionRow | undefined> {
  return db.selectFrom("upstream_sessions").selectAll().where("key_hash", "=", keyOf(place)).executeTakeFirst();
}

/** False if there is one already, which stays. */
export async function insertUpstreamSession(
  db: MainDb,
  place: UpstreamSessionPlace,
  { id, sealed_session }: Pick<UpstreamSessionRow, "id" | "sealed_session">,
  now: number,
): Promise<boolean> {
  const { mcpSessionId: mcp_session_id, userId: user_id, serverId: server_id } = place;
  const times = { opened_at: now, used_at: now };
  const inserted = await db
    .insertInto("upstream_sessions")
    .values({ id, key_hash: keyOf(place), mcp_session_id, server_id, user_id, sealed_session, ...times })
    .onConflict((conflict) => conflict.column("key_hash").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) await trimUpstreamSessions(db, user_id);
  return inserted !== undefined;
}

const MAX_PER_USER = 1_000;

/** Keeps the sessions of the user that were used last. An upstream session that is gone is opened again. */
async function trimUpstreamSessions(db: MainDb, userId: string): Promise<void> {
  const rows = db.selectFrom("upstream_sessions").select(["id", "used_at"]).where("user_id", "=", userId);
  const oldest = await rows.orderBy("used_at", "desc").offset(MAX_PER_USER).limit(1).executeTakeFirst();
  if (!oldest) return;
  await db
    .deleteFrom("upstream_sessions")
    .where("user_id", "=", userId)
    .where("used_at", "<=", oldest.used_at)
    .execute();
}

export async function touchUpstreamSessions(db: MainDb, ids: readonly string[], now: number): Promise<void> {
  await db.updateTable("upstream_sessions").set({ used_at: now }).where("id", "in", idList(db, ids)).execute();
}

/** Returns whether there was one that has not been used since `unusedSince`. */
export async function deleteUpstreamSession(db: MainDb, id: string, unusedSince: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom("upstream_sessions")
    .where("id", "=", id)
    .where("used_at", "<=", unusedSince)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** The servers for which these MCP sessions have an upstream session. */
export async function upstreamSessionsOf(
  db: MainDb,
  mcpSessionIds: readonly string[],
): Promise<Pick<UpstreamSessionRow, "mcp_session_id" | "server_id">[]> {
  return db
    .selectFrom("upstream_sessions")
    .select(["mcp_session_id", "server_id"])
    .where("mcp_session_id", "in", idList(db, mcpSessionIds))
    .execute();
}

export async function deleteUpstreamSessionsOf(tx: MainTransaction, mcpSessionId: string): Promise<void> {
  await tx.deleteFrom("upstream_sessions").where("mcp_session_id", "=", mcpSessionId).execute();
}

export async function deleteUpstreamSessionsBefore(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("upstream_sessions").where("used_at", "<", before).execute();
}

function keyOf({ mcpSessionId, serverId, url, grant }: UpstreamSessionPlace): string {
  return createHash("sha256")
    .update(JSON.stringify([mcpSessionId, serverId, url, grant]))
    .digest("hex");
}
