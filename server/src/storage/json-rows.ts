import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/**
 * Rows for `insert … select` and `update … from` as one parameter: a table with the column `value`, whose cells are
 * `value->>0`, `value->>1` and so on, as text.
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
