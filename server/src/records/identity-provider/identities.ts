import type { MainDb, MainTransaction } from "#storage/database";

export interface Identity {
  readonly issuer: string;
  /** The provider's ID of the person, which stays the same when their email changes. */
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

/**
 * Whether the user is linked to another account at this provider: an email can be reassigned, but the user must not be.
 */
export async function hasOtherIdentity(db: MainDb, { issuer, subject }: Identity, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("user_identities")
    .select("subject")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .where("subject", "!=", subject)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an enabled owner has signed in through this provider, so that other sign-in methods can be turned off. */
export async function ownerSignedInThrough(db: MainDb, issuer: string): Promise<boolean> {
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
export async function hasSignedInThrough(db: MainDb, issuer: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("user_identities")
    .select("subject")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these users have signed in through a provider. */
export async function identitiesAmong(db: MainDb, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.selectFrom("user_identities").select("user_id").where("user_id", "in", userIds).execute();
  return new Set(rows.map((row) => row.user_id));
}
