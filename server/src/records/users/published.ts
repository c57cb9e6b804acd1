import type { MainDb } from "#storage/database";
import type { UserRow } from "#storage/user-tables";

/** What the gateway must know of a user. */
export interface PublishedUser extends Pick<UserRow, "id" | "email" | "is_machine_user" | "disabled"> {
  readonly groupIds: readonly string[];
}

/** One page, by id, for a full build; the first page comes after "". */
export async function publishedUsersAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedUser[]> {
  return withGroups(db, await userRows(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time; users that are gone are missing from the answer. */
export async function publishedUsersByIds(db: MainDb, ids: readonly string[]): Promise<PublishedUser[]> {
  return withGroups(db, await userRows(db).where("id", "in", ids).execute());
}

function userRows(db: MainDb) {
  return db.selectFrom("users").select(["id", "email", "is_machine_user", "disabled"]);
}

async function withGroups(db: MainDb, users: Omit<PublishedUser, "groupIds">[]): Promise<PublishedUser[]> {
  if (users.length === 0) return [];
  const groupIds = new Map<string, string[]>(users.map(({ id }) => [id, []]));
  const links = await db
    .selectFrom("group_users")
    .select(["user_id", "group_id"])
    .where("user_id", "in", [...groupIds.keys()])
    .execute();
  for (const link of links) groupIds.get(link.user_id)?.push(link.group_id);
  return users.map((user) => ({ ...user, groupIds: groupIds.get(user.id) ?? [] }));
}
