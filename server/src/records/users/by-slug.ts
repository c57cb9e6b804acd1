import type { MainDb } from "#storage/database";
import type { UserRow } from "#storage/user-tables";

export async function findMachineUserBySlug(db: MainDb, slug: string): Promise<UserRow | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("slug", "=", slug)
    .where("is_machine_user", "=", true)
    .executeTakeFirst();
}
