import { CompiledQuery, type Kysely, PostgresAdapter, sql } from "kysely";
import { FOR_EACH_ROW } from "./stored-values.ts";

export type BulkColumn = readonly [name: string, type: "bigint" | "text" | "json"];

/**
 * Inserts any number of rows with one statement text and one parameter, so that nothing is compiled or prepared again
 * for a different number of rows, and one string is sent to the database instead of thousands of values. Postgres
 * expands it; for SQLite the worker thread runs a prepared insert per row, which is twice as fast as `json_each`.
 */
export async function insertRows<Tables>(
  db: Kysely<Tables>,
  table: string,
  columns: readonly BulkColumn[],
  rows: readonly (readonly (string | number | null)[])[],
  onConflict = "",
): Promise<void> {
  const text = JSON.stringify(rows);
  const names = columns.map(([name]) => name).join(", ");
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const values = columns.map(([, type], index) => `cast(value->>${index} as ${type})`).join(", ");
    const source = sql`json_array_elements(${text}::json) as json_rows(value)`;
    const into = sql.raw(`${table} (${names})`);
    await sql`insert into ${into} select ${sql.raw(values)} from ${source} ${sql.raw(onConflict)}`.execute(db);
    return;
  }
  const places = columns.map(() => "?").join(", ");
  const insert = `insert into ${table} (${names}) values (${places}) ${onConflict}`;
  await db.executeQuery(CompiledQuery.raw(FOR_EACH_ROW + insert, [text]));
}
