import type { MainDb, MainTransaction } from "#storage/database";
import type { AccountResetRow } from "#storage/sign-in-tables";

/** How long people are notified of a reset. No session of the account can shorten it. */
const SHOWN_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_PER_PERSON = 5;

/** Keeps the newest few of the person. */
export async function insertAccountReset(tx: MainTransaction, row: AccountResetRow): Promise<void> {
  await tx.insertInto("account_resets").values(row).execute();
  const newest = tx
    .selectFrom("account_resets")
    .select("id")
    .where("user_id", "=", row.user_id)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_PER_PERSON);
  await tx.deleteFrom("account_resets").where("user_id", "=", row.user_id).where("id", "not in", newest).execute();
}

/** The resets that the person is notified of, newest first. */
export async function recentAccountResets(db: MainDb, userId: string, now: number): Promise<AccountResetRow[]> {
  return db
    .selectFrom("account_resets")
    .selectAll()
    .where("user_id", "=", userId)
    .where("created_at", ">", now - SHOWN_MS)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}
