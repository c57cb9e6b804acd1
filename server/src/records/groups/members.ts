import { fold } from "#lib/fold";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { GroupRow } from "#storage/user-tables";

/** Groups and their people as an identity provider sees them. */

export interface GroupKey {
  readonly by: "id" | "name" | "externalId" | "member";
  readonly value: string;
}

/** A group of a person, or a person of a group. */
export interface Membership {
  readonly id: string;
  readonly name: string;
}

export async function countGroups(db: MainDb, key?: GroupKey): Promise<number> {
  const { n } = await matching(db, key)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

/** Oldest first. */
export async function listGroupRows(
  db: MainDb,
  {
    key,
    skip = 0,
    afterId = "",
    limit,
  }: { key?: GroupKey | undefined; skip?: number; afterId?: string; limit: number },
): Promise<GroupRow[]> {
  const page = matching(db, key).selectAll().where("id", ">", afterId).orderBy("id");
  return page.offset(skip).limit(limit).execute();
}

/** The people of each group, without machine users. */
export async function peopleOfGroups(db: MainDb, groupIds: readonly string[]): Promise<Map<string, Membership[]>> {
  const rows = await db
    .selectFrom("group_users")
    .innerJoin("users", "users.id", "group_users.user_id")
    .select(["group_users.group_id as key", "users.id", "users.name"])
    .where("group_users.group_id", "in", idList(db, groupIds))
    .where("users.is_machine_user", "=", false)
    .orderBy("users.id")
    .execute();
  return byKey(rows);
}

/** The groups of each user. */
export async function groupsOfUsers(db: MainDb, userIds: readonly string[]): Promise<Map<string, Membership[]>> {
  const rows = await db
    .selectFrom("group_users")
    .innerJoin("groups", "groups.id", "group_users.group_id")
    .select(["group_users.user_id as key", "groups.id", "groups.name"])
    .where("group_users.user_id", "in", idList(db, userIds))
    .orderBy("groups.id")
    .execute();
  return byKey(rows);
}

function byKey(rows: readonly (Membership & { readonly key: string })[]): Map<string, Membership[]> {
  const found = new Map<string, Membership[]>();
  for (const { key, id, name } of rows) {
    const known = found.get(key);
    if (known) known.push({ id, name });
    else found.set(key, [{ id, name }]);
  }
  return found;
}

function matching(db: MainDb, key: GroupKey | undefined) {
  const groups = db.selectFrom("groups");
  switch (key?.by) {
    case undefined:
      return groups;
    case "id":
      return groups.where("id", "=", key.value);
    case "name":
      return groups.where("name_key", "=", fold(key.value));
    case "externalId":
      return groups.where("external_id", "=", key.value);
    case "member":
      return groups.where("id", "in", groupIdsOfPerson(db, key.value));
  }
}

function groupIdsOfPerson(db: MainDb, id: string) {
  return db
    .selectFrom("group_users")
    .innerJoin("users", "users.id", "group_users.user_id")
    .select("group_users.group_id")
    .where("users.id", "=", id)
    .where("users.is_machine_user", "=", false);
}

/** Ends the management by an identity provider. The members stay. */
export async function detachGroups(
  tx: MainTransaction,
  ids: readonly string[] | "all",
  now: number,
): Promise<Membership[]> {
  const groups = tx
    .updateTable("groups")
    .set({ provisioned_by: null, external_id: null, updated_at: now })
    .where("provisioned_by", "is not", null);
  const chosen = ids === "all" ? groups : groups.where("id", "in", idList(tx, ids));
  return chosen.returning(["id", "name"]).execute();
}
