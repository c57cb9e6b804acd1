import type { MainDb } from "#storage/database";
import type { GroupRow } from "#storage/user-tables";

/** What the gateway must know of a group. */
export interface PublishedGroup extends Pick<GroupRow, "id" | "show_draft_mcps"> {
  readonly serverIds: readonly string[];
}

/** One page, by id, for a full build; the first page comes after "". */
export async function publishedGroupsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedGroup[]> {
  return withServers(db, await groupRows(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time; groups that are gone are missing from the answer. */
export async function publishedGroupsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedGroup[]> {
  return withServers(db, await groupRows(db).where("id", "in", ids).execute());
}

function groupRows(db: MainDb) {
  return db.selectFrom("groups").select(["id", "show_draft_mcps"]);
}

async function withServers(db: MainDb, groups: Omit<PublishedGroup, "serverIds">[]): Promise<PublishedGroup[]> {
  if (groups.length === 0) return [];
  const serverIds = new Map<string, string[]>(groups.map(({ id }) => [id, []]));
  const links = await db
    .selectFrom("group_servers")
    .select(["group_id", "server_id"])
    .where("group_id", "in", [...serverIds.keys()])
    .execute();
  for (const link of links) serverIds.get(link.group_id)?.push(link.server_id);
  return groups.map((group) => ({ ...group, serverIds: serverIds.get(group.id) ?? [] }));
}
