import { Refusal } from "#lib/errors";
import { fold } from "#lib/fold";
import type { ApprovalRow } from "#storage/approval-tables";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";

/** Callers decide how many calls wait, so that none can fill the queue or the database. */
export const MOST_PENDING_PER_USER = 20;
export const MOST_PENDING = 1_000;
/** Larger arguments cannot be reviewed by a person. */
export const LARGEST_ARGUMENTS_BYTES = 256 * 1024;
/** How long an approval can be decided, and how long a decision applies to identical calls. */
export const APPROVAL_MS = 60 * 60 * 1000;

/** The pending approval for an identical call, otherwise the most recent one. */
export async function findByDigest(db: MainDb, digests: readonly string[]): Promise<ApprovalRow | undefined> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("digest", "in", digests)
    .orderBy((order) => order.case().when("status", "=", "pending").then(0).else(1).end())
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Throws if there are too many pending approvals. False if a concurrent identical call was faster. */
export async function insertApproval(tx: MainTransaction, row: Omit<ApprovalRow, "search_text">): Promise<boolean> {
  // Concurrent requests wait for each other, so that none exceeds a limit.
  await lockRows(tx, tx.selectFrom("change_counter").selectAll().where("id", "=", 1)).execute();
  if ((await countPending(tx, row.created_at, row.user_id)) >= MOST_PENDING_PER_USER) {
    const text = `${MOST_PENDING_PER_USER} of your calls already wait for an approval`;
    throw new Refusal("conflict", `${text}; wait until one of them is decided`);
  }
  if ((await countPending(tx, row.created_at)) >= MOST_PENDING) {
    const text = `${MOST_PENDING} calls of this organization already wait for an approval`;
    throw new Refusal("conflict", `${text}; ask an owner or admin to decide about them`);
  }
  const search_text = [
    row.user_email,
    row.server_slug,
    row.server_name,
    row.tool,
    row.guard_slug,
    row.guard_name,
    row.id,
  ]
    .map(fold)
    .join("\n");
  const inserted = await tx
    .insertInto("approvals")
    .values({ ...row, search_text })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  return inserted.length > 0;
}

export async function countPending(db: MainDb, now: number, userId?: string): Promise<number> {
  let query = db
    .selectFrom("approvals")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("status", "=", "pending")
    .where("expires_at", ">", now);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  return Number((await query.executeTakeFirstOrThrow()).n);
}

export async function findApproval(db: MainDb, id: string): Promise<ApprovalRow | undefined> {
  return db.selectFrom("approvals").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function lockApproval(tx: MainTransaction, id: string): Promise<ApprovalRow | undefined> {
  return lockRows(tx, tx.selectFrom("approvals").selectAll().where("id", "=", id)).executeTakeFirst();
}

export async function approvalsByIds(db: MainDb, ids: readonly string[]): Promise<ApprovalRow[]> {
  return db.selectFrom("approvals").selectAll().where("id", "in", idList(db, ids)).execute();
}

export type Decision = Pick<ApprovalRow, "status" | "decided_by" | "decided_at" | "note" | "expires_at">;

/** `before` is the locked row. Wakes the calls that wait for the decision, in every process. */
export async function decideApproval(
  tx: MainTransaction,
  trail: WriteTrail,
  before: ApprovalRow,
  decision: Decision,
): Promise<ApprovalRow> {
  await tx.updateTable("approvals").set(decision).where("id", "=", before.id).execute();
  trail.changed("approval", before.id);
  const after = { ...before, ...decision };
  trail.emit("approval.decided", eventOf(after));
  return after;
}

/** Whether this call may use the approval. Of several concurrent calls, one may. */
export async function consumeApproval(db: MainDb, id: string, now: number): Promise<boolean> {
  const used = await db
    .updateTable("approvals")
    .set({ consumed_at: now })
    .where("id", "=", id)
    .where("status", "=", "approved")
    .where("consumed_at", "is", null)
    .where("expires_at", ">", now)
    .returning("id")
    .execute();
  return used.length > 0;
}

/** For webhooks: without the arguments. `path` is the page in the app. */
export function eventOf(row: Omit<ApprovalRow, "search_text">) {
  return {
    approval_id: row.id,
    status: row.status,
    user_email: row.user_email,
    server: { slug: row.server_slug, name: row.server_name },
    tool: row.tool,
    guard: { slug: row.guard_slug, name: row.guard_name },
    reason: reasonOf(row),
    expires_at: new Date(row.expires_at).toISOString(),
    decided_by: row.decided_by,
    note: row.note,
    path: approvalPath(row.id),
  };
}

export function approvalPath(id: string): string {
  return `/approvals/${id}`;
}

/** Which checks fired, without anything that they found. */
export function reasonOf({ guard_name: guard, check_names: checks }: Pick<ApprovalRow, "guard_name" | "check_names">) {
  return checks.length === 0 ? `Guard "${guard}"` : `Guard "${guard}" found: ${checks.join(", ")}`;
}
