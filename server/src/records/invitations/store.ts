import { createHash } from "node:crypto";
import type { ExpressionBuilder } from "kysely";
import type { RandomBytes } from "#lib/random";
import { newInvitationToken } from "#lib/tokens";
import { rolesThatIssue } from "#records/issuers";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { Role } from "#storage/sign-in-tables";
import type { MainTables } from "#storage/tables";
import type { Actor } from "#storage/transaction";
import type { InvitationRow } from "#storage/user-tables";

const VALID_MS = 7 * 24 * 60 * 60 * 1000;

export interface Invitation {
  readonly userId: string;
  /** The name of the person or API token that created it. Null: unknown. */
  readonly createdBy: string | null;
  /** What `createdBy` names. */
  readonly creatorKind: "user" | "api_token";
  /** Whether accepting it resets an account that was in use. */
  readonly resetsAccount: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface InvitationMaking {
  readonly userId: string;
  readonly creator: Pick<Actor, "id" | "name">;
  /** The person who is responsible. Null: the operator. */
  readonly responsibleId: string | null;
  readonly resetsAccount: boolean;
  /** Whether creating it requires the scope `all`. */
  readonly requiredAll: boolean;
  readonly now: number;
  readonly random: RandomBytes;
}

/** Creates the user's only invitation and revokes the previous one. The token is stored only as a hash. */
export async function makeInvitation(
  tx: MainTransaction,
  making: InvitationMaking,
): Promise<{ invitation: Invitation; token: string }> {
  const { userId, creator, responsibleId, resetsAccount, requiredAll, now, random } = making;
  const token = newInvitationToken(random);
  const made = {
    token_hash: hashToken(token),
    created_by: creator.id,
    creator_name: creator.name,
    resets_account: resetsAccount,
    required_all: requiredAll,
    responsible_id: responsibleId,
    created_at: now,
    expires_at: now + VALID_MS,
    accepted_at: null,
  };
  await tx
    .insertInto("invitations")
    .values({ user_id: userId, ...made })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(made))
    .execute();
  const times = { createdAt: now, expiresAt: made.expires_at };
  return {
    invitation: { userId, createdBy: creator.name, creatorKind: creatorKindOf(creator.id), resetsAccount, ...times },
    token,
  };
}

const SHOWN = ["user_id", "created_by", "creator_name", "resets_account", "created_at", "expires_at"] as const;

function invitationOf(row: Pick<InvitationRow, (typeof SHOWN)[number]>): Invitation {
  return {
    userId: row.user_id,
    createdBy: row.creator_name,
    creatorKind: creatorKindOf(row.created_by),
    resetsAccount: row.resets_account,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function creatorKindOf(id: string): Invitation["creatorKind"] {
  return id.startsWith("usr_") ? "user" : "api_token";
}

/**
 * Undefined if the token is unknown, revoked, expired or used, or if the responsible person can no longer create the
 * invitation.
 */
export async function findInvitation(db: MainDb, token: string, now: number): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom("invitations")
    .select(SHOWN)
    .where("token_hash", "=", hashToken(token))
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .where(isIssuable)
    .executeTakeFirst();
  return row && invitationOf(row);
}

/** Decision 0057, in case the invitation was not revoked when the person lost the permission. */
function isIssuable(is: ExpressionBuilder<MainTables, "invitations">) {
  const person = (roles: readonly Role[]) =>
    is.exists(
      is
        .selectFrom("users as issuer")
        .select("issuer.id")
        .whereRef("issuer.id", "=", "invitations.responsible_id")
        .where("issuer.disabled", "=", false)
        .where("issuer.role", "in", roles),
    );
  return is.or([
    is("responsible_id", "is", null),
    person(rolesThatIssue("all")),
    is.and([is("required_all", "=", false), person(rolesThatIssue("admin:write"))]),
  ]);
}

/** Returns the invitation once: of several concurrent requests, one succeeds. Undefined as in `findInvitation`. */
export async function acceptInvitation(
  tx: MainTransaction,
  token: string,
  now: number,
): Promise<Invitation | undefined> {
  const accepted = await tx
    .updateTable("invitations")
    .set({ accepted_at: now })
    .where("token_hash", "=", hashToken(token))
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .where(isIssuable)
    .returning(SHOWN)
    .executeTakeFirst();
  return accepted && invitationOf(accepted);
}

/** Whether somebody without the scope `all` could have chosen the account's password, through an invitation. */
export async function mayHaveForeignPassword(db: MainDb, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("invitations")
    .select("user_id")
    .where("user_id", "=", userId)
    .where((is) => is.or([is("accepted_at", "is", null), is("required_all", "=", false)]))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether the account was opened with an invitation since then. Whoever has it now may be somebody else, so what was begun
 * before must not be stored (decision 0056). The account stays locked until the transaction ends.
 */
export async function lockAndCheckReset(tx: MainTransaction, userId: string, since: number): Promise<boolean> {
  await lockRows(tx, tx.selectFrom("users").select("id").where("id", "=", userId)).execute();
  const accepted = await tx
    .selectFrom("invitations")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("accepted_at", ">", since)
    .executeTakeFirst();
  return accepted !== undefined;
}

export async function voidInvitation(tx: MainTransaction, userId: string): Promise<void> {
  await tx.deleteFrom("invitations").where("user_id", "=", userId).where("accepted_at", "is", null).execute();
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The invitations that these users can still accept, by user ID. */
export async function pendingInvitations(
  db: MainDb,
  userIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Invitation>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("invitations")
    .select(SHOWN)
    .where("user_id", "in", userIds)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .where(isIssuable)
    .execute();
  return new Map(rows.map((row) => [row.user_id, invitationOf(row)]));
}
