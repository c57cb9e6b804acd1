import type { NotNull } from "kysely";
import { fold } from "#lib/fold";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { GroupRow } from "#storage/user-tables";

export interface GroupWithCounts extends GroupRow {
  readonly users_count: number;
  readonly integrations_count: number;
}

const ROWS_PER_INSERT = 500;

export async function findGroup(db: MainDb, name: string): Promise<GroupRow | undefined> {
  return db.selectFrom("groups").selectAll().where("name_key", "=", fold(name)).executeTakeFirst();
}

export async function lockGroup(tx: MainTransaction, name: string): Promise<GroupRow | undefined> {
  return lockRows(tx, tx.selectFrom("groups").selectAll().where("name_key", "=", fold(name))).executeTakeFirst();
}

export async function listGroups(
  db: MainDb,
  { search, skip, limit }: { search: string | undefined; skip: number; limit: number },
): Promise<GroupWithCounts[]> {
  let query = withCounts(db);
  if (search !== undefined) query = query.where(contains("name_key", search));
  return query.orderBy("created_at").orderBy("id").offset(skip).limit(limit).execute();
}

export async function groupWithCounts(db: MainDb, id: string): Promise<GroupWithCounts> {
  return withCounts(db).where("id", "=", id).executeTakeFirstOrThrow();
}

function withCounts(db: MainDb) {
  return (
    db
      .selectFrom("groups")
      .selectAll("groups")
      .select((select) => [
        select
          .selectFrom("group_users")
          .whereRef("group_users.group_id", "=", "groups.id")
          .select((inner) => inner.fn.countAll<number>().as("n"))
          .as("users_count"),
        select
          .selectFrom("group_servers")
          .whereRef("group_servers.group_id", "=", "groups.id")
          .select((inner) => inner.fn.countAll<number>().as("n"))
          .as("integrations_count"),
      ])
      // A count is never null; a subquery's type says that it may be.
      .$narrowType<{ users_count: NotNull; integrations_count: NotNull }>()
  );
}

/** By id; groups that are gone are missing. */
export async function groupNames(db: MainDb, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("groups").select(["id", "name"]).where("id", "in", idList(db, ids)).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The names of the groups that each of these servers is in, oldest group first; servers without any are missing. */
export async function groupNamesOfServers(
  db: MainDb,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (serverIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("group_servers")
    .innerJoin("groups", "groups.id", "group_servers.group_id")
    .select(["group_servers.server_id", "groups.name"])
    .where("group_servers.server_id", "in", serverIds)
    .orderBy("groups.created_at")
    .orderBy("groups.id")
    .execute();
  const names = Map.groupBy(rows, (row) => row.server_id);
  return new Map([...names].map(([id, links]) => [id, links.map((link) => link.name)]));
}

export async function insertGroup(tx: MainTransaction, row: GroupRow): Promise<void> {
  await tx.insertInto("groups").values(row).execute();
}

export async function updateGroup(
  tx: MainTransaction,
  id: string,
  changes: Partial<Omit<GroupRow, "id" | "created_at">>,
): Promise<void> {
  await tx.updateTable("groups").set(changes).where("id", "=", id).execute();
}

export async function deleteGroup(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("groups").where("id", "=", id).execute();
}

export async function serverIdsOfGroup(db: MainDb, groupId: string): Promise<string[]> {
  const rows = await db.selectFrom("group_servers").select("server_id").where("group_id", "=", groupId).execute();
  return rows.map((row) => row.server_id);
}

export async function groupIdsOfServer(db: MainDb, serverId: string): Promise<string[]> {
  const rows = await db.selectFrom("group_servers").select("group_id").where("server_id", "=", serverId).execute();
  return rows.map((row) => row.group_id);
}

/** D15: the groups that new people, or new servers, join by themselves. */
export async function autoAssignGroupIds(db: MainDb, who: "auto_assign_users" | "auto_assign_mcps"): Promise<string[]> {
  const rows = await db
    .selectFrom("groups")
    .select("id")
    .where(who, "=", true)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => row.id);
}

/** Links that exist already are left as they are (Spec 4.3). */
export async function linkServers(
  tx: MainTransaction,
  links: readonly { group_id: string; server_id: string }[],
): Promise<void> {
  for (let start = 0; start < links.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("group_servers")
      .values(links.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function linkUsers(
  tx: MainTransaction,
  links: readonly { group_id: string; user_id: string }[],
): Promise<void> {
  for (let start = 0; start < links.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("group_users")
      .values(links.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** D15: a new person joins the groups that take everybody in. */
export async function joinAutoAssignGroups(tx: MainTransaction, userId: string): Promise<void> {
  const groupIds = await autoAssignGroupIds(tx, "auto_assign_users");
  await linkUsers(
    tx,
    groupIds.map((groupId) => ({ group_id: groupId, user_id: userId })),
  );
}

/** Says whether there was a link. */
export async function unlinkServer(
  tx: MainTransaction,
  link: { group_id: string; server_id: string },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom("group_servers")
    .where("group_id", "=", link.group_id)
    .where("server_id", "=", link.server_id)
    .returning("server_id")
    .execute();
  return gone.length > 0;
}

/** Says whether there was a link. */
export async function unlinkUser(tx: MainTransaction, link: { group_id: string; user_id: string }): Promise<boolean> {
  const gone = await tx
    .deleteFrom("group_users")
    .where("group_id", "=", link.group_id)
    .where("user_id", "=", link.user_id)
    .returning("user_id")
    .execute();
  return gone.length > 0;
}
