import type { MainDb } from "#storage/database";
import { fitOf, holdsAll, type Sought } from "#storage/search";
import type { GroupRow } from "#storage/user-tables";

export async function searchGroups(db: MainDb, sought: Sought, limit: number): Promise<Pick<GroupRow, "name">[]> {
  return db
    .selectFrom("groups")
    .select("name")
    .where(holdsAll("name_key", sought))
    .orderBy(fitOf(sought, { names: ["name_key"] }))
    .orderBy("name_key")
    .limit(limit)
    .execute();
}
