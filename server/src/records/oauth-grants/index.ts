import { endTokensOfGrant } from "#records/credentials";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { OAuthGrantRow } from "#storage/oauth-server-tables";
import type { WriteTrail } from "#storage/transaction";

interface GrantEnd {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
}

export async function insertGrant(tx: MainTransaction, row: OAuthGrantRow): Promise<void> {
  await tx.insertInto("oauth_grants").values(row).execute();
}

/** A grant that counts, held until the transaction ends: nothing is issued for one that is being ended. */
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

/** Of several who end it at once, one is told what it was. */
export async function takeGrant(tx: MainTransaction, id: string): Promise<OAuthGrantRow | undefined> {
  return tx.deleteFrom("oauth_grants").where("id", "=", id).returningAll().executeTakeFirst();
}

/** With everything that was issued for it. Answers the ids of its credentials, for the change rows. */
export async function endGrant(tx: MainTransaction, id: string): Promise<string[]> {
  await tx.deleteFrom("oauth_grants").where("id", "=", id).execute();
  await tx.deleteFrom("oauth_artifacts").where("grant_id", "=", id).execute();
  return endTokensOfGrant(tx, id);
}

/** All of a user's. Answers how many there were. */
export async function endGrantsOfUser({ tx, trail }: GrantEnd, userId: string): Promise<number> {
  const rows = await tx.selectFrom("oauth_grants").select("id").where("user_id", "=", userId).execute();
  for (const { id } of rows) trail.changed("credential", ...(await endGrant(tx, id)));
  return rows.length;
}

/** Those that nobody used for too long, with what is kept for them; their tokens are over already. */
export async function deleteGrantsBefore(db: MainDb, now: number): Promise<void> {
  const over = db.selectFrom("oauth_grants").select("id").where("expires_at", "<=", now);
  await db.deleteFrom("oauth_artifacts").where("grant_id", "in", over).execute();
  await db.deleteFrom("oauth_grants").where("expires_at", "<=", now).execute();
}
