import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Databases } from "../database.ts";
import { type ArchivedValue, ArchiveWriter, FORMAT, type Manifest } from "./archive.ts";
import { type Column, readTables, type Table } from "./schema.ts";

/** Rows per query. They are read by key, so that memory does not depend on the size of a table. */
const ROWS_PER_SLICE = 2_000;
/** Held by processes that will not exist after a restore. */
const SKIPPED = new Set(["leases"]);

export interface BackupOptions {
  readonly path: string;
  readonly version: string;
  readonly now: number;
  /** The key file's content, base64, if the backup should contain it. */
  readonly key?: string | undefined;
  report(line: string): void;
}

export interface BackupResult {
  readonly manifest: Manifest;
  readonly tables: number;
  readonly rows: number;
}

/** Copies all tables of one instant into a file, while the service runs. */
export async function writeBackup(databases: Databases, options: BackupOptions): Promise<BackupResult> {
  return databases.readSnapshot(async (sources) => {
    const archive = new ArchiveWriter(options.path);
    try {
      const manifest = await readManifest(databases, sources, options);
      await archive.manifest(manifest);
      let [tables, rows] = [0, 0];
      for (const db of sources) {
        for (const table of await readTables(db)) {
          if (SKIPPED.has(table.name)) continue;
          const count = await copyTable(db, table, archive);
          options.report(`${table.name}: ${count} rows`);
          tables++;
          rows += count;
        }
      }
      await archive.finish();
      return { manifest, tables, rows };
    } catch (error) {
      await archive.abort();
      throw error;
    }
  });
}

async function readManifest(
  { dialect }: Databases,
  sources: readonly Kysely<unknown>[],
  { version, now, key }: BackupOptions,
): Promise<Manifest> {
  const [main] = sources;
  if (!main) throw new Error("there is no database to copy");
  const names = sources.map(
    async (db) => (await sql<{ name: string }>`select name from schema_migrations`.execute(db)).rows,
  );
  const migrations = [...new Set((await Promise.all(names)).flat().map(({ name }) => name))].sort();
  const [audit] = (
    await sql<{ seq: number; hash: string }>`select seq, hash from audit_chain where id = 1`.execute(main)
  ).rows;
  const keys = await sql<{ id: string }>`select distinct wrapping_key_id as id from vault_keys`.execute(main);
  if (!audit) throw new Error("the audit log has no chain");
  return {
    format: FORMAT,
    version,
    created_at: new Date(now).toISOString(),
    dialect,
    migrations,
    audit: { seq: Number(audit.seq), hash: audit.hash },
    key_ids: keys.rows.map(({ id }) => id).sort(),
    ...(key !== undefined && { key }),
  };
}

async function copyTable(db: Kysely<unknown>, { name, columns }: Table, archive: ArchiveWriter): Promise<number> {
  await archive.beginTable(
    name,
    columns.map((column) => column.name),
  );
  const selected = sql.join(columns.map(selection));
  // SQLite orders by rowid and Postgres by its tuple id, which the snapshot keeps.
  for (let after: string | number | undefined; ; ) {
    const slice = await readSlice(db, name, selected, after);
    for (const { backup_position: position, ...row } of slice) {
      await archive.row(columns.map((column) => archived(column, row[column.name])));
      after = position as string | number;
    }
    if (slice.length < ROWS_PER_SLICE) break;
  }
  return archive.endTable();
}

async function readSlice(
  db: Kysely<unknown>,
  name: string,
  selected: ReturnType<typeof sql.join>,
  after: string | number | undefined,
): Promise<Record<string, unknown>[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const key = isPostgres ? sql`ctid` : sql`rowid`;
  const position = isPostgres ? sql`cast(ctid as text)` : sql`rowid`;
  const from =
    after === undefined ? sql`` : isPostgres ? sql`where ctid > cast(${after} as tid)` : sql`where rowid > ${after}`;
  const { rows } = await sql<Record<string, unknown>>`select ${selected}, ${position} as backup_position
    from ${sql.table(name)} ${from} order by ${key} limit ${ROWS_PER_SLICE}`.execute(db);
  return rows;
}

/** JSON is copied as its text, because the hashes of audit entries cover it. */
function selection({ name, kind }: Column) {
  return kind === "json" ? sql`cast(${sql.ref(name)} as text) as ${sql.ref(name)}` : sql`${sql.ref(name)}`;
}

function archived({ kind }: Column, value: unknown): ArchivedValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint" || typeof value === "number")
    return kind === "boolean" ? Number(value) === 1 : Number(value);
  throw new TypeError(`a value of this type cannot be copied: ${typeof value}`);
}
