import type { ApprovalRow } from "#storage/approval-tables";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import { decideApproval } from "./store.ts";

/** Expires one pending approval. `row` is locked. */
export async function expireApproval(tx: MainTransaction, trail: WriteTrail, row: ApprovalRow): Promise<ApprovalRow> {
  const { decided_by, decided_at, note, expires_at } = row;
  return decideApproval(tx, trail, row, { status: "expired", decided_by, decided_at, note, expires_at });
}

/** Expires pending approvals that were not decided in time. Returns their number. */
export async function expireApprovals(
  tx: MainTransaction,
  trail: WriteTrail,
  now: number,
  limit: number,
): Promise<number> {
  const due = tx.selectFrom("approvals").selectAll().where("status", "=", "pending").where("expires_at", "<=", now);
  const rows = await lockRows(tx, due.orderBy("expires_at").orderBy("id").limit(limit)).execute();
  for (const row of rows) await expireApproval(tx, trail, row);
  return rows.length;
}

/** Expires those that are not decided, or not used yet: they are for calls to a server that has another URL now. */
export async function expireApprovalsOfServer(tx: MainTransaction, trail: WriteTrail, serverId: string): Promise<void> {
  const open = tx
    .selectFrom("approvals")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("status", "in", ["pending", "approved"])
    .where("consumed_at", "is", null);
  for (const row of await lockRows(tx, open.orderBy("id")).execute()) await expireApproval(tx, trail, row);
}

/** Deletes the arguments of approvals that were decided or expired before. Returns whether there may be more. */
export async function forgetArguments(db: MainDb, before: number, limit: number): Promise<boolean> {
  const rows = await db
    .selectFrom("approvals")
    .select("id")
    .where("sealed_arguments", "is not", null)
    .where((where) =>
      where.or([
        where("decided_at", "<", before),
        where.and([where("decided_at", "is", null), where("expires_at", "<", before)]),
      ]),
    )
    .limit(limit)
    .execute();
  const ids = idList(
    db,
    rows.map(({ id }) => id),
  );
  if (rows.length > 0)
    await db.updateTable("approvals").set({ sealed_arguments: null }).where("id", "in", ids).execute();
  return rows.length === limit;
}

/** Deletes approvals whose decision no longer applies. Returns whether there may be more. */
export async function deleteApprovalsBefore(db: MainDb, before: number, limit: number): Promise<boolean> {
  const old = db
    .selectFrom("approvals")
    .select("id")
    .where("expires_at", "<", before)
    .orderBy("expires_at")
    .limit(limit);
  const rows = await old.execute();
  const ids = idList(
    db,
    rows.map(({ id }) => id),
  );
  if (rows.length > 0) await db.deleteFrom("approvals").where("id", "in", ids).execute();
  return rows.length === limit;
}
