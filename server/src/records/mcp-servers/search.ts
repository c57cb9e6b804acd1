import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { idList } from "#storage/id-list";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { McpServerRow } from "#storage/server-tables";

const NAMED = ["id", "slug", "name", "status", "connector_id"] as const;
export type NamedServer = Pick<McpServerRow, (typeof NAMED)[number]>;

/** By slug, name or description; what is called that comes first. */
export async function searchServers(db: MainDb, terms: SearchTerms, limit: number): Promise<NamedServer[]> {
  return db
    .selectFrom("mcp_servers")
    .select(NAMED)
    .where((where) => where.or([containsAll("search_text", terms), containsAll("slug", terms)]))
    .orderBy(matchRank(terms, { names: ["slug"], nameFirst: ["search_text"] }))
    .orderBy("search_text")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** What others call these servers, by their ids. */
export async function serverNames(db: MainDb, ids: readonly string[]): Promise<ReadonlyMap<string, NamedServer>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("mcp_servers")
    .select(NAMED)
    .where(sql<boolean>`id in ${idList(db, ids)}`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
