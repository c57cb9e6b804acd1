import { createHash } from "node:crypto";
import type { RandomBytes } from "#lib/random";
import { newInvitationToken } from "#lib/tokens";
import type { MainDb, MainTransaction } from "#storage/database";

const VALID_MS = 7 * 24 * 60 * 60 * 1000;

export interface Invitation {
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Creates the user's only invitation and revokes the previous one. The token is stored only as a hash. */
export async function makeInvitation(
  tx: MainTransaction,
  making: { userId: string; createdBy: string; now: number; random: RandomBytes },
): Promise<{ invitation: Invitation; token: string }> {
  const { userId, createdBy, now, random } = making;
  const token = newInvitationToken(random);
  const made = {
    token_hash: hashToken(token),
    created_by: createdBy,
    created_at: now,
    expires_at: now + VALID_MS,
    accepted_at: null,
  };
  await tx
    .insertInto("invitations")
    .values({ user_id: userId, ...made })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(made))
    .execute();
  return { invitation: { userId, createdAt: now, expiresAt: made.expires_at }, token };
}

/** Undefined if the token is unknown, revoked, expired or used. */
export async function findInvitation(db: MainDb, token: string, now: number): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom("invitations")
    .select(["user_id", "created_at", "expires_at"])
    .where("token_hash", "=", hashToken(token))
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row && { userId: row.user_id, createdAt: row.created_at, expiresAt: row.expires_at };
}

/**
 * Returns the invited user's ID once: of several concurrent requests, one succeeds. Undefined as in `findInvitation`.
 */
export async function acceptInvitation(tx: MainTransaction, token: string, now: number): Promise<string | undefined> {
  const accepted = await tx
    .updateTable("invitations")
    .set({ accepted_at: now })
    .where("token_hash", "=", hashToken(token))
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  return accepted?.user_id;
}

export async function voidInvitation(tx: MainTransaction, userId: string): Promise<void> {
  await tx.deleteFrom("invitations").where("user_id", "=", userId).where("accepted_at", "is", null).execute();
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Which of these users have an invitation that they can still accept. */
export async function invitedAmong(db: MainDb, userIds: readonly string[], now: number): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("invitations")
    .select("user_id")
    .where("user_id", "in", userIds)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
