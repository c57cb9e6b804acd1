import type { MainDb } from "#storage/database";
import type { McpServerRow, ServerToolRow } from "#storage/tables";

export type PublishedTool = Pick<ServerToolRow, "upstream_name" | "slug" | "definition" | "position">;

type PublishedServerRow = Pick<
  McpServerRow,
  "id" | "slug" | "name" | "status" | "upstream_url" | "upstream_transport" | "auth_type" | "eras" | "tools_synced_at"
>;

/** What the gateway must know of a server, with its enabled tools. */
export interface PublishedServer extends PublishedServerRow {
  readonly tools: readonly PublishedTool[];
  readonly groupIds: readonly string[];
}

/** One page, by id, for a full build; the first page comes after "". */
export async function publishedServersAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedServer[]> {
  return withParts(db, await serverRows(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time; servers that are gone are missing from the answer. */
export async function publishedServersByIds(db: MainDb, ids: readonly string[]): Promise<PublishedServer[]> {
  return withParts(db, await serverRows(db).where("id", "in", ids).execute());
}

function serverRows(db: MainDb) {
  return db
    .selectFrom("mcp_servers")
    .select([
      "id",
      "slug",
      "name",
      "status",
      "upstream_url",
      "upstream_transport",
      "auth_type",
      "eras",
      "tools_synced_at",
    ]);
}

async function withParts(db: MainDb, rows: PublishedServerRow[]): Promise<PublishedServer[]> {
  if (rows.length === 0) return [];
  const servers = new Map(
    rows.map((row) => [row.id, { ...row, tools: [] as PublishedTool[], groupIds: [] as string[] }]),
  );
  const ids = [...servers.keys()];
  const tools = await db
    .selectFrom("server_tools")
    .select(["server_id", "upstream_name", "slug", "definition", "position"])
    .where("server_id", "in", ids)
    .where("enabled", "=", true)
    .execute();
  for (const tool of tools) servers.get(tool.server_id)?.tools.push(tool);
  const links = await db
    .selectFrom("group_servers")
    .select(["server_id", "group_id"])
    .where("server_id", "in", ids)
    .execute();
  for (const link of links) servers.get(link.server_id)?.groupIds.push(link.group_id);
  return [...servers.values()];
}
