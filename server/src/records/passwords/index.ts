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
