import { toolkitLinks } from "#records/groups";
import type { MainDb } from "#storage/database";
import type { ToolkitRow } from "#storage/toolkit-tables";

const COLUMNS = [
  "id",
  "slug",
  "name",
  "instructions",
  "least_privilege",
  "owner_id",
  "tools",
  "prompts",
  "resources",
  "skills",
  "commands",
] as const;

/** The part of an active toolkit that the gateway needs. */
export interface PublishedToolkit extends Pick<ToolkitRow, (typeof COLUMNS)[number]> {
  readonly groupIds: readonly string[];
}

/** One page, by id, for a full build. The first page comes after "". */
export async function publishedToolkitsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedToolkit[]> {
  return withGroups(db, await activeToolkits(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time. Drafts and deleted toolkits are missing from the result. */
export async function publishedToolkitsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedToolkit[]> {
  return withGroups(db, await activeToolkits(db).where("id", "in", ids).execute());
}

function activeToolkits(db: MainDb) {
  return db.selectFrom("toolkits").select(COLUMNS).where("status", "=", "active");
}

async function withGroups(db: MainDb, rows: Omit<PublishedToolkit, "groupIds">[]): Promise<PublishedToolkit[]> {
  const groupIds = await toolkitLinks.groupsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, groupIds: groupIds.get(row.id) ?? [] }));
}
