import type { MainDb, MainTransaction } from "#storage/database";
import { type EmailKind, OPTIONAL_EMAIL_KINDS, type OptionalEmailKind } from "#storage/email-tables";
import type { UserRow } from "#storage/user-tables";

/** The notices that the person turned off. */
export async function emailOptOuts(db: MainDb, userId: string): Promise<OptionalEmailKind[]> {
  const rows = await db.selectFrom("email_opt_outs").select("kind").where("user_id", "=", userId).execute();
  return OPTIONAL_EMAIL_KINDS.filter((kind) => rows.some((row) => row.kind === kind));
}

export async function setEmailOptOuts(
  tx: MainTransaction,
  userId: string,
  kinds: readonly OptionalEmailKind[],
): Promise<void> {
  await tx.deleteFrom("email_opt_outs").where("user_id", "=", userId).execute();
  if (kinds.length === 0) return;
  await tx
    .insertInto("email_opt_outs")
    .values(kinds.map((kind) => ({ user_id: userId, kind })))
    .execute();
}

type Recipient = Pick<UserRow, "id" | "email">;

/** Without the people who turned this notice off. */
export async function whoWant(
  tx: MainTransaction,
  kind: EmailKind,
  recipients: readonly Recipient[],
): Promise<readonly Recipient[]> {
  const optional = OPTIONAL_EMAIL_KINDS.find((each) => each === kind);
  if (optional === undefined || recipients.length === 0) return recipients;
  const rows = await tx
    .selectFrom("email_opt_outs")
    .select("user_id")
    .where("kind", "=", optional)
    .where(
      "user_id",
      "in",
      recipients.map(({ id }) => id),
    )
    .execute();
  const without = new Set(rows.map((row) => row.user_id));
  return recipients.filter(({ id }) => !without.has(id));
}
