import type { NotNull } from "kysely";
import { fold } from "#lib/fold";
import { renameGroupInRules } from "#records/discovery";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { CallLimitColumns } from "#storage/limit-tables";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import type { GroupRow } from "#storage/user-tables";
import { ALL_GROUP_LINKS, serverLinks, userLinks } from "./links.ts";

export interface GroupWithCounts extends GroupRow {
  readonly users_count: number;
  readonly integrations_count: number;
}

export async function findGroup(db: MainDb, name: string): Promise<GroupRow | undefined> {
  return db.selectFrom("groups").selectAll().where("name_key", "=", fold(name)).executeTakeFirst();
}

export async function lockGroup(tx: MainTransaction, name: string): Promise<GroupRow | undefined> {
  return lockRows(tx, tx.selectFrom("groups").selectAll().where("name_key", "=", fold(name))).executeTakeFirst();
}

export async function lockGroupById(tx: MainTransaction, id: string): Promise<GroupRow | undefined> {
  return lockRows(tx, tx.selectFrom("groups").selectAll().where("id", "=", id)).executeTakeFirst();
}

export async function listGroups(
  db: MainDb,
  { search, skip, limit }: { search: string | undefined; skip: number; limit: number },
): Promise<GroupWithCounts[]> {
  let query = withCounts(db);
  if (search !== undefined) query = query.where(contains("name_key", search));
  return query.orderBy("created_at").orderBy("id").offset(skip).limit(limit).execute();
}

export async function findGroupWithCounts(db: MainDb, name: string): Promise<GroupWithCounts | undefined> {
  return withCounts(db).where("name_key", "=", fold(name)).executeTakeFirst();
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
      // A count is never null, but the type of a subquery allows null.
      .$narrowType<{ users_count: NotNull; integrations_count: NotNull }>()
  );
}

/** Of these groups, those whose members only Gatehouse manages, by ID. Deleted groups are missing. */
export async function unprovisionedGroupNames(db: MainDb, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const groups = db.selectFrom("groups").select(["id", "name"]).where("id", "in", idList(db, ids));
  const rows = await groups.where("provisioned_by", "is", null).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** By id. Deleted groups are missing. */
export async function groupNames(db: MainDb, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("groups").select(["id", "name"]).where("id", "in", idList(db, ids)).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

type NewGroup = Omit<GroupRow, keyof CallLimitColumns> & Partial<CallLimitColumns>;

export async function insertGroup(tx: MainTransaction, trail: WriteTrail, row: NewGroup): Promise<void> {
  await tx.insertInto("groups").values(row).execute();
  trail.changed("group", row.id);
}

export async function updateGroup(
  tx: MainTransaction,
  trail: WriteTrail,
  id: string,
  changes: Partial<Omit<GroupRow, "id" | "created_at">>,
): Promise<void> {
  if (changes.name !== undefined) await renameInRules(tx, id, changes.name);
  await tx.updateTable("groups").set(changes).where("id", "=", id).execute();
  trail.changed("group", id);
}

async function renameInRules(tx: MainTransaction, id: string, name: string): Promise<void> {
  const before = await tx.selectFrom("groups").select("name").where("id", "=", id).executeTakeFirst();
  if (before && before.name !== name) await renameGroupInRules(tx, before.name, name);
}

/** Also deletes its links. */
export async function deleteGroup(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  for (const links of ALL_GROUP_LINKS) await links.noteGroupDeletion(tx, trail, id);
  await tx.deleteFrom("groups").where("id", "=", id).execute();
  trail.changed("group", id);
}

const AUTO_ASSIGN = {
  auto_assign_users: userLinks,
  auto_assign_mcps: serverLinks,
};

/** D15: links a new person or a new server to the groups that auto-assign them. */
export async function joinAutoAssignGroups(
  tx: MainTransaction,
  trail: WriteTrail,
  setting: keyof typeof AUTO_ASSIGN,
  memberId: string,
): Promise<void> {
  const groups = await tx
    .selectFrom("groups")
    .select("id")
    .where(setting, "=", true)
    .$if(setting === "auto_assign_users", (query) => query.where("provisioned_by", "is", null))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  await AUTO_ASSIGN[setting].add(
    tx,
    trail,
    groups.map(({ id }) => ({ groupId: id, memberId })),
  );
}
