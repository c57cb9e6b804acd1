/** Approvals as the gateway stores them, for tests that need rows without calls. */

import type { ApprovalRow } from "#storage/approval-tables";
import type { MainDb } from "#storage/database";

const HOUR_MS = 60 * 60 * 1000;

export function approvalRow(id: string, now: number, changes: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    ...{ id, status: "pending", user_id: "usr_1", user_email: "ada@example.com", owner_ids: [] },
    ...{ server_id: "srv_1", server_slug: "wiki", server_name: "Wiki", method: "tools/call", tool: "echo" },
    ...{ digest: id, sealed_arguments: null, arguments_bytes: 2, search_text: `ada@example.com\nwiki\necho\n${id}` },
    ...{ guard_slug: "words", guard_name: "Words", check_names: ["Word"], request_id: "req_1" },
    ...{ created_at: now, expires_at: now + HOUR_MS },
    ...{ decided_by: null, decided_at: null, note: null, consumed_at: null },
    ...changes,
  };
}

export async function insertApprovalRows(db: MainDb, rows: readonly ApprovalRow[]): Promise<void> {
  await db.insertInto("approvals").values(rows).execute();
}

export function insertPendingApprovals(db: MainDb, ...ids: string[]): Promise<void> {
  return insertApprovalRows(
    db,
    ids.map((id) => approvalRow(id, Date.now())),
  );
}
