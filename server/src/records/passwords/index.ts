import type { MainDb, MainTransaction } from "#storage/database";

export async function findPasswordHash(db: MainDb, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom("passwords").select("hash").where("user_id", "=", userId).executeTakeFirst();
  return row?.hash;
}

export async function setPasswordHash(tx: MainTransaction, userId: string, hash: string, now: number): Promise<void> {
  const set = { hash, changed_at: now };
  await tx
    .insertInto("passwords")
    .values({ user_id: userId, ...set })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(set))
    .execute();
}

export async function deletePassword(tx: MainTransaction, userId: string): Promise<void> {
  await tx.deleteFrom("passwords").where("user_id", "=", userId).execute();
}

/** Which of these users have a password. */
export async function passwordsAmong(db: MainDb, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.selectFrom("passwords").select("user_id").where("user_id", "in", userIds).execute();
  return new Set(rows.map((row) => row.user_id));
}
