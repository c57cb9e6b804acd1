import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/**
 * Rows as one parameter: a table with one column `value`, each a JSON array. A bulk insert from it has one text for any
 * number of rows, so nothing is compiled or prepared anew, and one string crosses to the database instead of thousands
 * of values.
 */
export function jsonRows<Tables>(
  db: Kysely<Tables>,
  rows: readonly (readonly (string | number | null)[])[],
): RawBuilder<unknown> {
  const text = JSON.stringify(rows);
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`json_array_elements(${text}::json) as json_rows(value)`
    : sql`json_each(${text}) as json_rows`;
}

/** Column `index` of such a row, by its declared type. */
export function jsonColumn(index: number, type: "bigint" | "text"): RawBuilder<unknown> {
  return sql`cast(value->>${sql.lit(index)} as ${sql.raw(type)})`;
}
