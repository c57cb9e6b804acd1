import type { MainDb } from "#storage/database";

export const FORGOTTEN_MS = 60 * 60 * 1000;
/** Strangers add rows, one for each account and address that they try. */
const MAX_ROWS = 100_000;

export async function deleteAttemptsBefore(db: MainDb, now: number): Promise<void> {
  await db
    .deleteFrom("sign_in_attempts")
    .where("last_at", "<=", now - FORGOTTEN_MS)
    .execute();
}

/** Keeps the rows with the most failures, so that a flood of new accounts does not lift the block of an attacked one. */
export async function trimAttempts(db: MainDb, now: number, most = MAX_ROWS): Promise<void> {
  const { rows } = await db
    .selectFrom("sign_in_attempts")
    .select((is) => is.fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  if (rows <= most) return;
  await deleteAttemptsBefore(db, now);
  const kept = db
    .selectFrom("sign_in_attempts")
    .select("attempt_key")
    .orderBy("failures", "desc")
    .orderBy("last_at", "desc")
    .orderBy("attempt_key")
    .limit(most);
  await db.deleteFrom("sign_in_attempts").where("attempt_key", "not in", kept).execute();
}
