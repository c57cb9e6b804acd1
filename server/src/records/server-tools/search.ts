import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";
import { contains } from "#storage/contains";
import type { MainDb } from "#storage/database";
import { fitOf, readSought, type Sought } from "#storage/search";
import type { ServerToolRow } from "#storage/server-tables";

export type FoundTool = Pick<ServerToolRow, "server_id" | "slug" | "title" | "description" | "enabled" | "held">;

/** Postgres keeps at most 2,700 bytes of a row in an index, and nobody looks for more. */
const LONGEST_SEARCH_TEXT = 400;

/** Slug and title, folded: what a search looks through. */
export function toolSearchText(slug: string, title: string): string {
  return fold(`${slug}\n${title}`).slice(0, LONGEST_SEARCH_TEXT).toWellFormed();
}

/** By slug or title; some of several words may be in the slug of the tool's server. Found in the index alone, then read: definitions are long. */
export async function searchTools(db: MainDb, sought: Sought, limit: number): Promise<FoundTool[]> {
  const found = db
    .selectFrom("server_tools")
    .select(["server_id", "upstream_name", fitOf(sought, { names: ["search_text"] }).as("fit"), "search_text"])
    .where("listed", "=", true)
    .where(namesTool(sought))
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

/** As it is called at the gateway: `github__create_issue` is `create_issue` of a server that is called something like `github`. */
export function readSoughtTool(text: string): Sought {
  const at = text.indexOf("__");
  const [server, tool] = [text.slice(0, at).trim(), text.slice(at + 2).trim()];
  if (at === -1 || server === "" || tool === "") return readSought(text);
  const { whole, words } = readSought(tool);
  return { whole, words: [...readSought(server).words, ...words] };
}

function namesTool({ words }: Sought): RawBuilder<SqlBool> {
  const [word] = words;
  if (words.length === 1 && word !== undefined) return contains("search_text", word);
  const inText = words.map((each) => contains("search_text", each));
  const all = words.map((each) => sql`(${contains("search_text", each)} or ${isOfServerLike(each)})`);
  return sql<SqlBool>`((${sql.join(inText, sql` or `)}) and ${sql.join(all, sql` and `)})`;
}

function isOfServerLike(word: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`server_id in (select id from mcp_servers where ${contains("slug", word)})`;
}
