import type { MainDb } from "#storage/database";
import type { GroupRow } from "#storage/user-tables";
import { serverLinks } from "./links.ts";

/** The part of a group that the gateway needs. */
export interface PublishedGroup extends Pick<GroupRow, "id" | "show_draft_mcps"> {
  readonly serverIds: readonly string[];
}

/** One page, by id, for a full build. The first page comes after "". */
export async function publishedGroupsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedGroup[]> {
  return withServers(db, await groupRows(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time. Deleted groups are missing from the result. */
export async function publishedGroupsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedGroup[]> {
  return withServers(db, await groupRows(db).where("id", "in", ids).execute());
}

function groupRows(db: MainDb) {
  return db.selectFrom("groups").select(["id", "show_draft_mcps"]);
}

async function withServers(db: MainDb, groups: Omit<PublishedGroup, "serverIds">[]): Promise<PublishedGroup[]> {
  const serverIds = await serverLinks.membersOf(
    db,
    groups.map((group) => group.id),
  );
  return groups.map((group) => ({ ...group, serverIds: serverIds.get(group.id) ?? [] }));
}
