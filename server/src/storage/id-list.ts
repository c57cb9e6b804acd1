import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** For `where id in …`: any number of IDs as one parameter, so that the statement is the same for every number. */
export function idList<Tables>(db: Kysely<Tables>, ids: readonly string[]): RawBuilder<string> {
  const text = JSON.stringify(ids);
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<string>`(select json_array_elements_text(${text}::json))`
    : sql<string>`(select value from json_each(${text}))`;
}
