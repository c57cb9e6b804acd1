import type { MainDb, MainTransaction } from "#storage/database";

export interface Identity {
  readonly issuer: string;
  /** The provider's own id of the person, which stays when their address changes. */
  readonly subject: string;
}

export async function findUserIdByIdentity(db: MainDb, { issuer, subject }: Identity): Promise<string | undefined> {
  const row = await db
    .selectFrom("user_identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.user_id;
}

export async function linkIdentity(
  tx: MainTransaction,
  { issuer, subject }: Identity,
  userId: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto("user_identities")
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether the person is known to be somebody else at this provider: an address may pass on, its account must not. */
export async function isSomebodyElse(db: MainDb, { issuer, subject }: Identity, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("user_identities")
    .select("subject")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .where("subject", "!=", subject)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an owner who may sign in has done so through this provider: then others' doors can be closed. */
export async function ownerCameFrom(db: MainDb, issuer: string): Promise<boolean> {
  const row = await db
    .selectFrom("user_identities")
    .innerJoin("users", "users.id", "user_identities.user_id")
    .select("users.id")
    .where("user_identities.issuer", "=", issuer)
    .where("users.role", "=", "owner")
    .where("users.disabled", "=", false)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the person has signed in through this provider. */
export async function cameFrom(db: MainDb, issuer: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("user_identities")
    .select("subject")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these people have come through a provider. */
export async function identitiesAmong(db: MainDb, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.selectFrom("user_identities").select("user_id").where("user_id", "in", userIds).execute();
  return new Set(rows.map((row) => row.user_id));
}
