import { fold } from "#lib/fold";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { UserRow } from "#storage/user-tables";

/** People as an identity provider sees them. Machine users are not part of its directory. */

/** A value that an index finds. */
export interface PersonKey {
  readonly by: "id" | "userName" | "externalId" | "email";
  readonly value: string;
}

export async function countPeople(db: MainDb, key?: PersonKey): Promise<number> {
  const { n } = await matching(db, key)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

/** Oldest first: IDs sort by creation time. */
export async function listPeople(
  db: MainDb,
  {
    key,
    skip = 0,
    afterId = "",
    limit,
  }: { key?: PersonKey | undefined; skip?: number; afterId?: string; limit: number },
): Promise<UserRow[]> {
  const page = matching(db, key).selectAll().where("id", ">", afterId).orderBy("id");
  return page.offset(skip).limit(limit).execute();
}

export async function lockPerson(tx: MainTransaction, key: PersonKey): Promise<UserRow | undefined> {
  return lockRows(tx, matching(tx, key).selectAll()).executeTakeFirst();
}

/** The given IDs that do not belong to a person. */
export async function unknownPersonIds(db: MainDb, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("id", "in", idList(db, ids))
    .where("is_machine_user", "=", false)
    .execute();
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

export interface ProvisionedCounts {
  readonly users: number;
  readonly suspended: number;
  readonly groups: number;
}

export async function provisionedCounts(db: MainDb): Promise<ProvisionedCounts> {
  const count = (query: { execute(): Promise<{ n: number }[]> }) => query.execute().then(([row]) => row?.n ?? 0);
  const users = db
    .selectFrom("users")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("provisioned_by", "is not", null);
  const groups = db
    .selectFrom("groups")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("provisioned_by", "is not", null);
  return {
    users: await count(users),
    suspended: await count(users.where("suspended", "=", true)),
    groups: await count(groups),
  };
}

function matching(db: MainDb, key: PersonKey | undefined) {
  const people = db.selectFrom("users").where("is_machine_user", "=", false);
  switch (key?.by) {
    case undefined:
      return people;
    case "id":
      return people.where("id", "=", key.value);
    case "externalId":
      return people.where("external_id", "=", key.value);
    case "email":
      return people.where("email_key", "=", fold(key.value));
    case "userName":
      // People who are not provisioned are known by their email.
      return people.where((where) =>
        where.or([
          where("user_name_key", "=", fold(key.value)),
          where.and([where("user_name_key", "is", null), where("email_key", "=", fold(key.value))]),
        ]),
      );
  }
}

/** Ends the management by an identity provider. People that it deactivated stay disabled until an admin enables them. */
export async function detachPeople(
  tx: MainTransaction,
  ids: readonly string[] | "all",
  now: number,
): Promise<Pick<UserRow, "id" | "email">[]> {
  const people = tx
    .updateTable("users")
    .set({
      ...{ provisioned_by: null, user_name: null, user_name_key: null, scim_profile: null },
      ...{ suspended: false, disabled_by_admin: false, updated_at: now },
    })
    .where("provisioned_by", "is not", null);
  const chosen = ids === "all" ? people : people.where("id", "in", idList(tx, ids));
  return chosen.returning(["id", "email"]).execute();
}
