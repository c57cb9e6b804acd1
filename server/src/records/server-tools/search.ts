import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";
import { contains } from "#storage/contains";
import type { MainDb } from "#storage/database";
import { matchRank, parseSearch, type SearchTerms } from "#storage/search";
import type { ServerToolRow } from "#storage/server-tables";

export type FoundTool = Pick<ServerToolRow, "server_id" | "slug" | "title" | "description" | "enabled" | "held">;

/** Postgres indexes at most 2,700 bytes per row, and searches are shorter. */
const MAX_SEARCH_TEXT = 400;

/** The searchable text of a tool: slug and title, folded. */
export function toolSearchText(slug: string, title: string): string {
  return fold(`${slug}\n${title}`).slice(0, MAX_SEARCH_TEXT).toWellFormed();
}

/**
 * Searches slug and title; some of several words may be in the slug of the tool's server. Matches in the index first
 * and then reads the rows, because definitions are long.
 */
export async function searchTools(db: MainDb, terms: SearchTerms, limit: number): Promise<FoundTool[]> {
  const found = db
    .selectFrom("server_tools")
    .select(["server_id", "upstream_name", matchRank(terms, { names: ["search_text"] }).as("fit"), "search_text"])
    .where("listed", "=", true)
    .where(namesTool(terms))
    .orderBy("fit")
    .orderBy("search_text")
    .orderBy("server_id")
    .orderBy("upstream_name")
    .limit(limit)
    .as("found");
  return db
    .selectFrom(found)
    .innerJoin("server_tools", (join) =>
      join
        .onRef("server_tools.server_id", "=", "found.server_id")
        .onRef("server_tools.upstream_name", "=", "found.upstream_name"),
    )
    .select(["server_tools.server_id", "slug", "title", "description", "enabled", "held"])
    .orderBy("found.fit")
    .orderBy("found.search_text")
    .orderBy("found.server_id")
    .orderBy("found.upstream_name")
    .execute();
}

/**
 * Accepts names as used at the gateway: `github__create_issue` is `create_issue` of a server with a slug like `github`.
 */
export function parseToolSearch(text: string): SearchTerms {
  const at = text.indexOf("__");
  const [server, tool] = [text.slice(0, at).trim(), text.slice(at + 2).trim()];
  if (at === -1 || server === "" || tool === "") return parseSearch(text);
  const { whole, words } = parseSearch(tool);
  return { whole, words: [...parseSearch(server).words, ...words] };
}

function namesTool({ words }: SearchTerms): RawBuilder<SqlBool> {
  const [word] = words;
  if (words.length === 1 && word !== undefined) return contains("search_text", word);
  const inText = words.map((each) => contains("search_text", each));
  const all = words.map((each) => sql`(${contains("search_text", each)} or ${isOfServerLike(each)})`);
  return sql<SqlBool>`((${sql.join(inText, sql` or `)}) and ${sql.join(all, sql` and `)})`;
}

function isOfServerLike(word: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`server_id in (select id from mcp_servers where ${contains("slug", word)})`;
}
