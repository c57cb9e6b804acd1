import { type ExpressionBuilder, sql } from "kysely";
import type { ApprovalRow, ApprovalStatus } from "#storage/approval-tables";
import { contains } from "#storage/contains";
import type { MainDb } from "#storage/database";
import { idList } from "#storage/id-list";
import { containsAll, type SearchTerms } from "#storage/search";
import type { MainTables } from "#storage/tables";

export interface ApprovalFilter {
  readonly status?: ApprovalStatus | "decided" | undefined;
  readonly id?: string | undefined;
  readonly userIds?: readonly string[] | undefined;
  /** Email. */
  readonly user?: string | undefined;
  /** Name at the server, or `{slug}__{name}`. */
  readonly tool?: string | undefined;
  /** Slug. */
  readonly guard?: string | undefined;
  /** Part of the email, or of the name of the server, tool or guard. */
  readonly search?: string | undefined;
}

/** Everything but the arguments. */
const COLUMNS = [
  ...["id", "status", "user_id", "user_email", "owner_ids", "server_id", "server_slug", "server_name", "method"],
  ...["tool", "digest", "arguments_bytes", "guard_slug", "guard_name", "check_names", "search_text", "request_id"],
  ...["created_at", "expires_at", "decided_by", "decided_at", "note", "consumed_at"],
] as const;

export type ListedApproval = Pick<ApprovalRow, (typeof COLUMNS)[number]>;

/** Pending ones first, oldest first, because they wait; then the others, newest first. */
export async function listApprovals(
  db: MainDb,
  filter: ApprovalFilter,
  now: number,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<ListedApproval[]> {
  return filtered(db, filter, now)
    .select(COLUMNS)
    .orderBy((order) => order.case().when(isPending(order, now)).then(0).else(1).end())
    .orderBy((order) =>
      order
        .case()
        .when(isPending(order, now))
        .then(order.ref("created_at"))
        .else(order.neg(order.ref("created_at")))
        .end(),
    )
    .orderBy("id")
    .offset(skip)
    .limit(limit)
    .execute();
}

/** Pending ones first, then the newest. */
export async function searchApprovals(
  db: MainDb,
  terms: SearchTerms,
  now: number,
  limit: number,
): Promise<ListedApproval[]> {
  return db
    .selectFrom("approvals")
    .select(COLUMNS)
    .where(containsAll("search_text", terms))
    .orderBy((order) => order.case().when(isPending(order, now)).then(0).else(1).end())
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

function filtered(db: MainDb, { id, status, userIds, user, tool, guard, search }: ApprovalFilter, now: number) {
  let query = db.selectFrom("approvals");
  if (status === "pending") query = query.where((where) => isPending(where, now));
  else if (status === "decided") query = query.where((where) => where.not(isPending(where, now)));
  else if (status === "expired") {
    query = query.where("status", "in", ["expired", "pending"]).where((where) => where.not(isPending(where, now)));
  } else if (status !== undefined) query = query.where("status", "=", status);
  if (id !== undefined) query = query.where("id", "=", id);
  if (userIds !== undefined) query = query.where("user_id", "in", idList(db, userIds));
  if (user !== undefined) query = query.where(sql`lower(user_email)`, "=", user.toLowerCase());
  if (tool !== undefined) {
    query = query.where((where) =>
      where.or([where("tool", "=", tool), where(sql`server_slug || '__' || tool`, "=", tool)]),
    );
  }
  if (guard !== undefined) query = query.where("guard_slug", "=", guard);
  if (search !== undefined) query = query.where(contains("search_text", search));
  return query;
}

/** The job that expires approvals runs once a minute. */
function isPending(where: ExpressionBuilder<MainTables, "approvals">, now: number) {
  return where.and([where("status", "=", "pending"), where("expires_at", ">", now)]);
}
