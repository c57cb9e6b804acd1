import type { MainDb, MainTransaction } from "#storage/database";
import type { OAuthFlowRow } from "#storage/oauth-tables";

/** A person signs in at few servers concurrently. */
const MAX_PER_USER = 20;

/** Keeps the newest flows of the user, because a connect link or a script can start any number. */
export async function insertFlow(db: MainDb, row: OAuthFlowRow): Promise<void> {
  await db.insertInto("oauth_flows").values(row).execute();
  const newest = db
    .selectFrom("oauth_flows")
    .select("id")
    .where("user_id", "=", row.user_id)
    .orderBy("expires_at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_PER_USER);
  await db.deleteFrom("oauth_flows").where("user_id", "=", row.user_id).where("id", "not in", newest).execute();
}

/** OA-1: a flow can be taken only once, whatever happens to it afterwards. */
export async function takeFlow(db: MainDb, stateHash: string): Promise<OAuthFlowRow | undefined> {
  return db.deleteFrom("oauth_flows").where("state_hash", "=", stateHash).returningAll().executeTakeFirst();
}

export async function deleteFlowsOfUser(tx: MainTransaction, userId: string): Promise<void> {
  await tx.deleteFrom("oauth_flows").where("user_id", "=", userId).execute();
}

export async function deleteFlowsBefore(db: MainDb, now: number): Promise<void> {
  await db.deleteFrom("oauth_flows").where("expires_at", "<=", now).execute();
}
