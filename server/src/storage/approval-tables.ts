export const APPROVAL_STATUSES = ["pending", "approved", "denied", "expired"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A call that a guard holds until a person approves it. */
export interface ApprovalRow {
  id: string;
  /** A pending one whose `expires_at` has passed counts as expired. */
  status: ApprovalStatus;
  user_id: string;
  user_email: string;
  /** Owners of the machine user at the time of the call. They cannot decide, even if they give up the ownership. */
  owner_ids: string[];
  server_id: string;
  server_slug: string;
  server_name: string;
  method: string;
  /** The server's name of the tool or prompt. */
  tool: string;
  /** Keyed digest of user, tool and arguments. */
  digest: string;
  /** Null: deleted by the retention. */
  sealed_arguments: string | null;
  arguments_bytes: number;
  guard_slug: string;
  guard_name: string;
  /** The checks that fired. */
  check_names: string[];
  search_text: string;
  request_id: string;
  created_at: number;
  /** Of a pending one: until when it can be decided. Of a decided one: until when the decision applies to identical calls. */
  expires_at: number;
  /** The name of the actor who decided. */
  decided_by: string | null;
  decided_at: number | null;
  note: string | null;
  /** When an identical call used the approval, which is possible once. */
  consumed_at: number | null;
}

export interface ApprovalTables {
  approvals: ApprovalRow;
}
