import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** The IDs that `table` links to a row of the outer query, as JSON text for `readIds`. IDs sort by creation time. */
export function linkedIds<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  linked: string,
  key: string,
  outer: string,
): RawBuilder<string> {
  const [from, id, of, row] = [sql.table(table), sql.ref(linked), sql.ref(key), sql.ref(outer)];
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<string>`(select coalesce(json_agg(${id} order by ${id}), '[]')::text from ${from} where ${of} = ${row})`
    : sql<string>`(select json_group_array(${id}) from (select ${id} from ${from} where ${of} = ${row} order by ${id}))`;
}

export function readIds(json: string): string[] {
  return json === "[]" ? [] : JSON.parse(json);
}
