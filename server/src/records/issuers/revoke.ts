import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import { mayIssue } from "./issuer.ts";

/** The person who is responsible, or the creating API token. */
export type IssuedBy = { readonly responsibleId: string } | { readonly creatorIds: readonly string[] };

export interface RevokedIssues {
  readonly tokenIds: readonly string[];
  readonly invitations: number;
}

/** Revokes what a person could no longer create. Called by every change of their role or status. */
export async function revokeLostIssues(tx: MainTransaction, trail: WriteTrail, userId: string): Promise<void> {
  const person = await tx.selectFrom("users").select(["role", "disabled"]).where("id", "=", userId).executeTakeFirst();
  if (!person || mayIssue(person, "all")) return;
  const reason = "the responsible person lost the permission";
  const issued = { responsibleId: userId };
  await revokeTokens(tx, trail, issued, reason);
  await revokeInvitations(tx, trail, issued, reason, { onlyRequiredAll: mayIssue(person, "admin:write") });
}

/** Revokes all API tokens and pending invitations of a person or of API tokens. */
export async function revokeIssued(
  tx: MainTransaction,
  trail: WriteTrail,
  issued: IssuedBy,
  reason: string,
): Promise<RevokedIssues> {
  const tokenIds = await revokeTokens(tx, trail, issued, reason);
  return { tokenIds, invitations: await revokeInvitations(tx, trail, issued, reason) };
}

async function revokeTokens(
  tx: MainTransaction,
  trail: WriteTrail,
  issued: IssuedBy,
  reason: string,
): Promise<string[]> {
  const tokens = tx.deleteFrom("api_tokens").returning(["id", "name", "scopes", "created_by"]);
  const rows = await ("responsibleId" in issued
    ? tokens.where("responsible_id", "=", issued.responsibleId)
    : tokens.where("creator_id", "in", issued.creatorIds)
  ).execute();
  for (const { id, name, scopes, created_by } of rows) {
    const target = { kind: "api-token", id, name };
    trail.audit({ operation: "deleteApiToken", target, before: { scopes, created_by }, after: { reason } });
  }
  return rows.map(({ id }) => id);
}

async function revokeInvitations(
  tx: MainTransaction,
  trail: WriteTrail,
  issued: IssuedBy,
  reason: string,
  { onlyRequiredAll = false } = {},
): Promise<number> {
  let pending = tx.deleteFrom("invitations").where("accepted_at", "is", null);
  if (onlyRequiredAll) pending = pending.where("required_all", "=", true);
  const rows = await ("responsibleId" in issued
    ? pending.where("responsible_id", "=", issued.responsibleId)
    : pending.where("created_by", "in", issued.creatorIds)
  )
    .returning(["user_id", "creator_name"])
    .execute();
  if (rows.length === 0) return 0;
  const invited = tx.selectFrom("users").select(["id", "email"]);
  const ids = rows.map((row) => row.user_id);
  for (const { id, email } of await invited.where("id", "in", ids).execute()) {
    const created_by = rows.find((row) => row.user_id === id)?.creator_name;
    const target = { kind: "user", id, name: email };
    trail.audit({ operation: "revokeInvitation", target, before: { created_by }, after: { reason } });
  }
  return rows.length;
}
