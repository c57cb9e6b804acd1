import type { MainDb } from "#storage/database";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { UserRow } from "#storage/user-tables";

export type FoundUser = Pick<UserRow, "name" | "email" | "slug" | "disabled">;

/** People or machine users by name or email, best match first. */
export async function searchUsers(
  db: MainDb,
  { terms, isMachineUser }: { readonly terms: SearchTerms; readonly isMachineUser: boolean },
  limit: number,
): Promise<FoundUser[]> {
  return db
    .selectFrom("users")
    .select(["name", "email", "slug", "disabled"])
    .where("is_machine_user", "=", isMachineUser)
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("search_text")
    .orderBy("id")
    .limit(limit)
    .execute();
}
