import type { MainDb } from "#storage/database";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { GroupRow } from "#storage/user-tables";

export async function searchGroups(db: MainDb, terms: SearchTerms, limit: number): Promise<Pick<GroupRow, "name">[]> {
  return db
    .selectFrom("groups")
    .select("name")
    .where(containsAll("name_key", terms))
    .orderBy(matchRank(terms, { names: ["name_key"] }))
    .orderBy("name_key")
    .limit(limit)
    .execute();
}
