import { type Kysely, PostgresAdapter, sql } from "kysely";
import { RESTORE_MARKER } from "../unfinished-restore.ts";

export interface Column {
  readonly name: string;
  readonly kind: "json" | "bytes" | "boolean" | "other";
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The tables that its rows refer to. */
  readonly references: readonly string[];
}

/** Tables that describe the database itself. */
const INTERNAL = new Set(["schema_migrations", RESTORE_MARKER]);

/** The tables of a database, each after the tables that it refers to. Lists no internal tables. */
export async function readTables<Tables>(db: Kysely<Tables>): Promise<Table[]> {
  const tables =
    db.getExecutor().adapter instanceof PostgresAdapter ? await postgresTables(db) : await sqliteTables(db);
  return inOrder(tables.filter(({ name }) => !INTERNAL.has(name) && !name.startsWith("sqlite_")));
}

async function sqliteTables<Tables>(db: Kysely<Tables>): Promise<Table[]> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select m.name as "table", c.name as "column", c.type as type
    from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' order by m.name, c.cid`.execute(db);
  const { rows: references } = await sql<{ table: string; target: string }>`
    select m.name as "table", f."table" as target
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(db);
  return grouped(rows, references);
}

async function postgresTables<Tables>(db: Kysely<Tables>): Promise<Table[]> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select c.table_name as "table", c.column_name as "column", c.data_type as type
    from information_schema.columns c join information_schema.tables t
      on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
    order by c.table_name, c.ordinal_position`.execute(db);
  const { rows: references } = await sql<{ table: string; target: string }>`
    select source.relname as "table", target.relname as target from pg_constraint
    join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and source.relnamespace = to_regnamespace(current_schema())`.execute(db);
  return grouped(rows, references);
}

function grouped(
  rows: readonly { readonly table: string; readonly column: string; readonly type: string }[],
  references: readonly { readonly table: string; readonly target: string }[],
): Table[] {
  const names = [...new Set(rows.map(({ table }) => table))];
  return names.map((name) => ({
    name,
    columns: rows
      .filter(({ table }) => table === name)
      .map(({ column, type }) => ({ name: column, kind: kindOf(type.toLowerCase()) })),
    references: references.filter(({ table, target }) => table === name && target !== name).map(({ target }) => target),
  }));
}

function kindOf(type: string): Column["kind"] {
  if (type === "json") return "json";
  if (type === "bytea") return "bytes";
  return type === "boolean" ? "boolean" : "other";
}

function inOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ references }) => !references.some((name) => left.has(name)));
    if (ready.length === 0) throw new Error(`tables refer to each other: ${[...left.keys()].join(", ")}`);
    for (const table of ready) left.delete(table.name);
    ordered.push(...ready);
  }
  return ordered;
}
