import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** For `where id in …`: any number of ids as one parameter, so that nothing is compiled or prepared anew for another number. */
export function idList<Tables>(db: Kysely<Tables>, ids: readonly string[]): RawBuilder<string> {
  const text = JSON.stringify(ids);
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<string>`(select json_array_elements_text(${text}::json))`
    : sql<string>`(select value from json_each(${text}))`;
}
