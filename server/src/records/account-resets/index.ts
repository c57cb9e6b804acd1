import type { NewId } from "#lib/ids";
import { queueEmails } from "#records/emails";
import type { MainDb, MainTransaction } from "#storage/database";
import type { AccountResetRow } from "#storage/sign-in-tables";
import type { UserRow } from "#storage/user-tables";

/** How long people are notified of a reset. No session of the account can shorten it. */
const SHOWN_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_PER_PERSON = 5;

export interface AccountReset {
  readonly user: Pick<UserRow, "id" | "name" | "email">;
  readonly reason: AccountResetRow["reason"];
  /** Who created the invitation. */
  readonly by: { readonly name: string | null; readonly kind: "user" | "api_token" } | undefined;
  readonly address: string;
  readonly now: number;
}

/** Notifies the person at the next sign-ins and by email. */
export async function noteAccountReset(
  tx: MainTransaction,
  newId: NewId,
  { user, reason, by, address, now }: AccountReset,
): Promise<void> {
  const author = { invited_by: by?.name ?? null, invited_by_kind: by?.kind ?? null };
  await insertAccountReset(tx, { id: newId("rst"), user_id: user.id, reason, ...author, address, created_at: now });
  await queueEmails(tx, newId, {
    ...{ kind: "account_reset", recipients: [user], now },
    data: { name: user.name, reason, invited_by: by === undefined ? null : authorText(by), address },
  });
}

/** People have an email as their name. The name of an API token could be mistaken for a person. */
function authorText({ name, kind }: NonNullable<AccountReset["by"]>): string {
  if (name === null) return "an administrator";
  return kind === "user" ? name : `the API token ${name}`;
}

/** Keeps the newest few of the person. */
async function insertAccountReset(tx: MainTransaction, row: AccountResetRow): Promise<void> {
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
