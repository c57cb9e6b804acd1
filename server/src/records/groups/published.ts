import type { ToolSelection } from "#lib/tool-selection";
import type { MainDb } from "#storage/database";
import type { GroupRow } from "#storage/user-tables";
import { serverLinks } from "./links.ts";
import { selectionsOf } from "./selections.ts";

const COLUMNS = ["id", "name", "show_draft_mcps", "calls_per_minute", "concurrent_calls"] as const;

/** The part of a group that the gateway needs. */
export interface PublishedGroup extends Pick<GroupRow, (typeof COLUMNS)[number]> {
  readonly serverIds: readonly string[];
  /** By server ID. Undefined: the group grants all tools of its servers. */
  readonly selections: ReadonlyMap<string, ToolSelection> | undefined;
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
  return db.selectFrom("groups").select(COLUMNS);
}

async function withServers(
  db: MainDb,
  groups: Omit<PublishedGroup, "serverIds" | "selections">[],
): Promise<PublishedGroup[]> {
  const ids = groups.map((group) => group.id);
  const serverIds = await serverLinks.membersOf(db, ids);
  const selections = await selectionsOf(db, ids);
  return groups.map((group) => ({
    ...group,
    serverIds: serverIds.get(group.id) ?? [],
    selections: selections.get(group.id),
  }));
}
