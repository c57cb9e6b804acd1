import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

export interface SchemaLocation {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** Built while the service runs (storage/deferred-indexes.ts). */
const DEFERRED = new Set(["calls_request", "calls_toolkit", "calls_trace"]);

/** One line per column, constraint and index. Independent of the order of columns, which differs between upgrades. */
export async function readSchema({ dataDir, databaseUrl }: SchemaLocation): Promise<string[]> {
  const rows = databaseUrl === undefined ? readSqlite(dataDir) : await readPostgres(databaseUrl);
  return rows
    .filter(({ name }) => !DEFERRED.has(name))
    .map((row) => JSON.stringify(row))
    .sort();
}

type SchemaRow = Record<string, unknown> & { readonly name: string };

function readSqlite(dataDir: string): SchemaRow[] {
  return readdirSync(dataDir)
    .filter((file) => file.endsWith(".db"))
    .flatMap((file) => {
      const database = new DatabaseSync(join(dataDir, file), { readOnly: true });
      const columns = `SELECT m.name AS "table", c.name, c.type, c."notnull", c.dflt_value, c.pk
        FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`;
      const indexes = "SELECT tbl_name AS \"table\", name, sql FROM sqlite_master WHERE type <> 'table'";
      const references = `SELECT m.name AS "table", f."from" AS name, f."table" AS target, f."to", f.on_delete
        FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`;
      const rows = [columns, indexes, references].flatMap((query) => database.prepare(query).all());
      database.close();
      // Every query above selects a name.
      return rows.map((row) => ({ file, ...row }) as unknown as SchemaRow);
    });
}

async function readPostgres(databaseUrl: string): Promise<SchemaRow[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const columns = `SELECT table_name AS "table", column_name AS name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public'`;
  const constraints = `SELECT conrelid::regclass AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`;
  const indexes = `SELECT tablename AS "table", indexname AS name, indexdef FROM pg_indexes WHERE schemaname = 'public'`;
  const rows: SchemaRow[] = [];
  for (const query of [columns, constraints, indexes]) rows.push(...(await client.query(query)).rows);
  await client.end();
  return rows;
}
