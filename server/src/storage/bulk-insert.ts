import { CompiledQuery, type Kysely, PostgresAdapter, sql } from "kysely";
import { FOR_EACH_ROW, type StoredRow } from "./stored-values.ts";

export type BulkColumn = readonly [name: string, type: "bigint" | "boolean" | "text" | "json"];
/** A column of a table with rows of this type. */
export type BulkColumnOf<Row> = readonly [name: keyof Row & string, type: BulkColumn[1]];
/** `change` is the new value of the column. It contains `?` once, for the cell. */
export type ChangedColumn = readonly [...column: BulkColumn, change?: string];

/**
 * Inserts any number of rows with one statement text and one parameter, so that nothing is compiled or prepared again
 * for a different number of rows, and one string is sent to the database instead of thousands of values. Postgres
 * expands it; for SQLite the thread of the file runs a prepared insert per row, which is twice as fast as `json_each`, and
 * needs no copies of the pages for the case that a later row fails. Resolves to the number of inserted and changed rows.
 * Cells of type `boolean` are 0 or 1, and those of type `json` are texts.
 */
export async function insertRows<Tables>(
  db: Kysely<Tables>,
  table: string,
  columns: readonly BulkColumn[],
  rows: readonly StoredRow[],
  onConflict = "",
): Promise<number> {
  const names = columns.map(([name]) => name).join(", ");
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const into = sql.raw(`${table} (${names})`);
    const values = sql.raw(columns.map(cellOf).join(", "));
    const query = sql`insert into ${into} select ${values} from ${expanded(rows)} ${sql.raw(onConflict)}`;
    return Number((await query.execute(db)).numAffectedRows);
  }
  const places = columns.map(() => "?").join(", ");
  return runForEach(db, `insert into ${table} (${names}) values (${places}) ${onConflict}`, rows);
}

/** Changes any number of rows in the same way. The last cell of each row is the ID of the row to change. */
export async function updateRows<Tables>(
  db: Kysely<Tables>,
  table: string,
  columns: readonly ChangedColumn[],
  rows: readonly StoredRow[],
): Promise<void> {
  const assign = (place: (column: ChangedColumn, index: number) => string) =>
    columns.map((column, at) => `${column[0]} = ${(column[2] ?? "?").replace("?", place(column, at))}`).join(", ");
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const changes = sql.raw(assign(([name, type], at) => cellOf([name, type], at)));
    const isRow = sql.raw(`${table}.id = value->>${columns.length}`);
    await sql`update ${sql.raw(table)} set ${changes} from ${expanded(rows)} where ${isRow}`.execute(db);
    return;
  }
  await runForEach(db, `update ${table} set ${assign(() => "?")} where id = ?`, rows);
}

/** The cells of a row whose fields have the types of these columns. */
export function cellsOf<Row extends object>(
  columns: readonly BulkColumnOf<Row>[],
  row: Row,
): (string | number | null)[] {
  return columns.map(([name, type]) => {
    const value = row[name];
    if (value === null) return null;
    if (type === "json") return JSON.stringify(value);
    if (type === "boolean") return value ? 1 : 0;
    if (typeof value === "string" || typeof value === "number") return value;
    throw new TypeError(`A value of this type cannot be stored: ${typeof value}`);
  });
}

function cellOf([, type]: BulkColumn, index: number): string {
  return `cast(value->>${index} as ${type})`;
}

function expanded(rows: readonly StoredRow[]) {
  return sql`json_array_elements(${JSON.stringify(rows)}::json) as json_rows(value)`;
}

async function runForEach<Tables>(db: Kysely<Tables>, statement: string, rows: readonly StoredRow[]): Promise<number> {
  const query = CompiledQuery.raw(FOR_EACH_ROW + statement, [rows]);
  return Number((await db.executeQuery(query)).numAffectedRows);
}
