import { endTokensOfGrant } from "#records/credentials";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { OAuthGrantRow } from "#storage/oauth-server-tables";
import type { WriteTrail } from "#storage/transaction";

interface GrantEnd {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
}

/** A person connects few MCP clients. If a script connects more, those that were not used for the longest time end. */
const MAX_PER_USER = 100;

export async function insertGrant({ tx, trail }: GrantEnd, row: OAuthGrantRow): Promise<void> {
  const rows = await tx
    .selectFrom("oauth_grants")
    .select("id")
    .where("user_id", "=", row.user_id)
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc")
    .execute();
  for (const { id } of rows.slice(MAX_PER_USER - 1)) await endGrant(tx, trail, id);
  await tx.insertInto("oauth_grants").values(row).execute();
}

/** A valid grant, locked until the transaction ends, so that nothing is issued for a grant that is being revoked. */
export async function lockGrant(tx: MainTransaction, id: string, now: number): Promise<OAuthGrantRow | undefined> {
  const grant = tx.selectFrom("oauth_grants").selectAll().where("id", "=", id).where("expires_at", ">", now);
  return lockRows(tx, grant).executeTakeFirst();
}

export async function grantUsed(tx: MainTransaction, id: string, now: number, expiresAt: number): Promise<void> {
  await tx.updateTable("oauth_grants").set({ last_used_at: now, expires_at: expiresAt }).where("id", "=", id).execute();
}

/** Newest first. */
export async function grantsOfUser(db: MainDb, userId: string, now: number): Promise<OAuthGrantRow[]> {
  return db
    .selectFrom("oauth_grants")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export async function findGrantOfUser(db: MainDb, userId: string, id: string): Promise<OAuthGrantRow | undefined> {
  return db
    .selectFrom("oauth_grants")
    .selectAll()
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Deletes the grant. Of several concurrent calls, one gets the row. */
export async function takeGrant(tx: MainTransaction, id: string): Promise<OAuthGrantRow | undefined> {
  return tx.deleteFrom("oauth_grants").where("id", "=", id).returningAll().executeTakeFirst();
}

/** Deletes a grant with everything that was issued for it. */
export async function endGrant(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  await tx.deleteFrom("oauth_grants").where("id", "=", id).execute();
  await tx.deleteFrom("oauth_artifacts").where("grant_id", "=", id).execute();
  await endTokensOfGrant(tx, trail, id);
}

/** Ends all grants of a user. Returns the number of grants. */
export async function endGrantsOfUser({ tx, trail }: GrantEnd, userId: string): Promise<number> {
  const rows = await tx.selectFrom("oauth_grants").select("id").where("user_id", "=", userId).execute();
  for (const { id } of rows) await endGrant(tx, trail, id);
  return rows.length;
}

/** AZ-7: ends all grants for one server. Returns the number of grants. */
export async function endGrantsOfServer({ tx, trail }: GrantEnd, serverId: string): Promise<number> {
  const rows = await tx.selectFrom("oauth_grants").select("id").where("server_id", "=", serverId).execute();
  for (const { id } of rows) await endGrant(tx, trail, id);
  return rows.length;
}

/** Deletes grants that were idle for too long. Their tokens have already expired. */
export async function deleteGrantsBefore(db: MainDb, now: number): Promise<void> {
  const over = db.selectFrom("oauth_grants").select("id").where("expires_at", "<=", now);
  await db.deleteFrom("oauth_artifacts").where("grant_id", "in", over).execute();
  await db.deleteFrom("oauth_grants").where("expires_at", "<=", now).execute();
}
