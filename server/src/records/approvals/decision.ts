import { Refusal } from "#lib/errors";
import { responsibleFor } from "#records/issuers";
import type { ApprovalRow } from "#storage/approval-tables";
import type { MainDb } from "#storage/database";
import type { Actor } from "#storage/transaction";

/**
 * Why the actor cannot decide about the call; undefined if nothing prevents it. API tokens count as the person who is
 * responsible for them, so that a token does not help to approve the same person's call.
 */
export async function decisionBarrier(
  db: MainDb,
  actor: Actor,
  { user_id: callerId, user_email: email, owner_ids: ownerIds }: ApprovalRow,
): Promise<string | undefined> {
  const personId = await responsibleFor(db, actor);
  if (personId === null) return undefined;
  const [who, verb] = actor.kind === "user" ? ["You", "own"] : ["The person responsible for this API token", "owns"];
  if (personId === callerId) return `${who} made this call, so another owner or admin must decide`;
  if (!ownerIds.includes(personId) && !(await owns(db, personId, callerId))) return undefined;
  return `${who} ${verb} the machine user ${email}, so another owner or admin must decide`;
}

export async function requireDecider(db: MainDb, actor: Actor, approval: ApprovalRow): Promise<void> {
  const barrier = await decisionBarrier(db, actor, approval);
  if (barrier !== undefined) throw new Refusal("forbidden", barrier);
}

async function owns(db: MainDb, ownerId: string, userId: string): Promise<boolean> {
  const link = db.selectFrom("user_owners").select("user_id").where("user_id", "=", userId);
  return (await link.where("owner_id", "=", ownerId).executeTakeFirst()) !== undefined;
}
