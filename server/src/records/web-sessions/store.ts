import { createHash } from "node:crypto";
import { endAppTokens } from "#records/credentials";
import { unlessDiskFull } from "#storage/constraints";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WebSessionRow } from "#storage/sign-in-tables";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";

const IDLE_MS = 12 * 60 * 60 * 1000;
const ABSOLUTE_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_PER_PERSON = 50;
/** Stored to the minute: a busy page causes one write per minute, not one per request. */
const SEEN_EVERY_MS = 60_000;

/** A valid web session and its user. */
export interface SignedIn {
  readonly session: Omit<WebSessionRow, "token_hash">;
  readonly user: Pick<UserRow, "id" | "name" | "email" | "role">;
}

export type NewWebSession = Pick<
  WebSessionRow,
  "id" | "user_id" | "method" | "address" | "user_agent" | "authenticated_at"
>;

const SHOWN = [
  "web_sessions.id",
  "web_sessions.user_id",
  "web_sessions.method",
  "web_sessions.address",
  "web_sessions.user_agent",
  "web_sessions.authenticated_at",
  "web_sessions.last_seen_at",
  "web_sessions.expires_at",
  "web_sessions.created_at",
] as const;

export async function insertWebSession(
  end: SessionEnd,
  making: NewWebSession,
  token: string,
  now: number,
): Promise<void> {
  await endOldest(end, making.user_id);
  const times = { last_seen_at: now, created_at: now, expires_at: now + ABSOLUTE_MS };
  await end.tx
    .insertInto("web_sessions")
    .values({ ...making, ...times, token_hash: hashOf(token) })
    .execute();
}

/** A person has few browsers. If a script signs in repeatedly, its oldest sessions are ended. */
async function endOldest({ tx, trail }: SessionEnd, userId: string): Promise<void> {
  const kept = tx
    .selectFrom("web_sessions")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_PER_PERSON - 1);
  const ended = tx.deleteFrom("web_sessions").where("user_id", "=", userId).where("id", "not in", kept);
  const ids = (await ended.returning("id").execute()).map((row) => row.id);
  await endAppTokens(tx, trail, ids);
}

/** Undefined if unknown, expired, idle for too long, or of a disabled user. */
export async function findWebSession(db: MainDb, token: string, now: number): Promise<SignedIn | undefined> {
  const row = await counting(db, now)
    .innerJoin("users", "users.id", "web_sessions.user_id")
    .select(SHOWN)
    .select(["users.name", "users.email", "users.role"])
    .where("web_sessions.token_hash", "=", hashOf(token))
    .where("users.disabled", "=", false)
    .where("users.is_machine_user", "=", false)
    .executeTakeFirst();
  if (!row) return undefined;
  const { name, email, role, ...session } = row;
  return { session, user: { id: row.user_id, name, email, role } };
}

function counting(db: MainDb, now: number) {
  return db
    .selectFrom("web_sessions")
    .where("web_sessions.expires_at", ">", now)
    .where("web_sessions.last_seen_at", ">", now - IDLE_MS);
}

export async function touchWebSession(db: MainDb, { session }: SignedIn, now: number): Promise<void> {
  if (now - session.last_seen_at < SEEN_EVERY_MS) return;
  const touched = db.updateTable("web_sessions").set({ last_seen_at: now }).where("id", "=", session.id);
  await unlessDiskFull(touched.execute());
}

/** The person has just authenticated again. */
export async function confirmWebSession(tx: MainTransaction, id: string, now: number): Promise<void> {
  await tx.updateTable("web_sessions").set({ authenticated_at: now }).where("id", "=", id).execute();
}

/** Newest first. */
export async function listWebSessions(db: MainDb, userId: string, now: number): Promise<SignedIn["session"][]> {
  return counting(db, now)
    .select(SHOWN)
    .where("web_sessions.user_id", "=", userId)
    .orderBy("web_sessions.created_at", "desc")
    .orderBy("web_sessions.id", "desc")
    .execute();
}

/**
 * Locks the session until the transaction ends, so that nothing is created for a session that is being ended. False if
 * it has ended.
 */
export async function lockWebSession(tx: MainTransaction, id: string): Promise<boolean> {
  const session = tx.selectFrom("web_sessions").select("id").where("id", "=", id);
  return (await lockRows(tx, session).executeTakeFirst()) !== undefined;
}

/** Ending a session also ends the gateway tokens of its pages. */
export interface SessionEnd {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
}

/** Returns whether it existed. */
export async function deleteWebSession({ tx, trail }: SessionEnd, userId: string, id: string): Promise<boolean> {
  const ended = tx.deleteFrom("web_sessions").where("id", "=", id).where("user_id", "=", userId);
  const ids = (await ended.returning("id").execute()).map((row) => row.id);
  await endAppTokens(tx, trail, ids);
  return ids.length > 0;
}

export async function deleteWebSessionByToken({ tx, trail }: SessionEnd, token: string): Promise<void> {
  const ended = tx.deleteFrom("web_sessions").where("token_hash", "=", hashOf(token));
  const ids = (await ended.returning("id").execute()).map((row) => row.id);
  await endAppTokens(tx, trail, ids);
}

/** Deletes all sessions of a user, except one if `stays` is given. Returns the number deleted. */
export async function deleteWebSessionsOfUser({ tx, trail }: SessionEnd, userId: string, stays = ""): Promise<number> {
  const ended = tx.deleteFrom("web_sessions").where("user_id", "=", userId).where("id", "!=", stays);
  const ids = (await ended.returning("id").execute()).map((row) => row.id);
  await endAppTokens(tx, trail, ids);
  return ids.length;
}

export async function deleteEndedWebSessions(db: MainDb, now: number): Promise<void> {
  await db
    .deleteFrom("web_sessions")
    .where((row) => row.or([row("expires_at", "<=", now), row("last_seen_at", "<=", now - IDLE_MS)]))
    .execute();
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** When each of these users was last active in a browser, as far as their sessions go back. */
export async function lastSeenOf(db: MainDb, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("web_sessions")
    .select((is) => ["user_id", is.fn.max("last_seen_at").as("at")])
    .where("user_id", "in", userIds)
    .groupBy("user_id")
    .execute();
  return new Map(rows.map((row) => [row.user_id, Number(row.at)]));
}
