import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { AccessRequestRow } from "#storage/request-tables";

/** Older requests of the user that are decided are deleted, so that no user can fill the table. */
export const MOST_REQUESTS_PER_USER = 200;

export interface AccessRequest extends AccessRequestRow {
  readonly user_email: string;
  readonly user_name: string;
  readonly server_slug: string;
  readonly server_name: string;
}

export interface RequestFilter {
  readonly userId?: string | undefined;
  readonly status?: AccessRequestRow["status"] | undefined;
  /** Part of the name or email of the user, or of the server's name. */
  readonly search?: string | undefined;
}

/** Pending requests first, oldest first, because they wait; then decided ones, newest first. */
export async function listRequests(
  db: MainDb,
  filter: RequestFilter,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<AccessRequest[]> {
  let query = requests(db);
  const { userId, status, search } = filter;
  if (userId !== undefined) query = query.where("access_requests.user_id", "=", userId);
  if (status !== undefined) query = query.where("access_requests.status", "=", status);
  if (search !== undefined) {
    query = query.where((where) =>
      where.or([contains("users.search_text", search), contains("mcp_servers.search_text", search)]),
    );
  }
  return query
    .orderBy((order) => order.case().when("access_requests.status", "=", "pending").then(0).else(1).end())
    .orderBy((order) =>
      order
        .case()
        .when("access_requests.status", "=", "pending")
        .then(order.ref("access_requests.created_at"))
        .else(order.neg(order.ref("access_requests.created_at")))
        .end(),
    )
    .orderBy("access_requests.id")
    .offset(skip)
    .limit(limit)
    .execute();
}

export async function findRequest(db: MainDb, id: string): Promise<AccessRequest | undefined> {
  return requests(db).where("access_requests.id", "=", id).executeTakeFirst();
}

/** Undefined if it does not exist or is decided. */
export async function lockPendingRequest(tx: MainTransaction, id: string): Promise<AccessRequestRow | undefined> {
  const rows = tx.selectFrom("access_requests").selectAll().where("id", "=", id).where("status", "=", "pending");
  return lockRows(tx, rows).executeTakeFirst();
}

export async function pendingRequestsOf(db: MainDb, userId: string): Promise<AccessRequestRow[]> {
  return db
    .selectFrom("access_requests")
    .selectAll()
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .execute();
}

export async function countPendingRequests(db: MainDb): Promise<number> {
  const { n } = await db
    .selectFrom("access_requests")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  return n;
}

/** False if the user has a pending request for the server already. */
export async function insertRequest(tx: MainTransaction, row: AccessRequestRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("access_requests")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  return inserted.length > 0;
}

export type Settlement = Pick<AccessRequestRow, "status" | "message" | "group_name" | "decided_by" | "decided_at">;

export async function settleRequest(tx: MainTransaction, id: string, settlement: Settlement): Promise<void> {
  await tx.updateTable("access_requests").set(settlement).where("id", "=", id).execute();
}

/** Keeps the newest requests of the user, and every pending one. */
export async function deleteOldRequests(tx: MainTransaction, userId: string): Promise<void> {
  const old = await tx
    .selectFrom("access_requests")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "!=", "pending")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .offset(MOST_REQUESTS_PER_USER)
    .limit(MOST_REQUESTS_PER_USER)
    .execute();
  if (old.length === 0) return;
  await tx
    .deleteFrom("access_requests")
    .where(
      "id",
      "in",
      old.map(({ id }) => id),
    )
    .execute();
}

function requests(db: MainDb) {
  return db
    .selectFrom("access_requests")
    .innerJoin("users", "users.id", "access_requests.user_id")
    .innerJoin("mcp_servers", "mcp_servers.id", "access_requests.server_id")
    .selectAll("access_requests")
    .select([
      "users.email as user_email",
      "users.name as user_name",
      "mcp_servers.slug as server_slug",
      "mcp_servers.name as server_name",
    ]);
}
