import { userLinks } from "#records/groups";
import type { MainDb } from "#storage/database";
import type { UserRow } from "#storage/user-tables";

/** The part of a user that the gateway needs. */
export interface PublishedUser extends Pick<UserRow, "id" | "email" | "is_machine_user" | "disabled" | "toolkit"> {
  readonly groupIds: readonly string[];
}

/** One page, by id, for a full build. The first page comes after "". */
export async function publishedUsersAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedUser[]> {
  return withGroups(db, await userRows(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time. Deleted users are missing from the result. */
export async function publishedUsersByIds(db: MainDb, ids: readonly string[]): Promise<PublishedUser[]> {
  return withGroups(db, await userRows(db).where("id", "in", ids).execute());
}

function userRows(db: MainDb) {
  return db.selectFrom("users").select(["id", "email", "is_machine_user", "disabled", "toolkit"]);
}

async function withGroups(db: MainDb, users: Omit<PublishedUser, "groupIds">[]): Promise<PublishedUser[]> {
  const groupIds = await userLinks.groupsOf(
    db,
    users.map((user) => user.id),
  );
  return users.map((user) => ({ ...user, groupIds: groupIds.get(user.id) ?? [] }));
}
