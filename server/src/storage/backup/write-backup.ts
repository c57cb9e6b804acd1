import { type Kysely, type RawBuilder, sql } from "kysely";
import { ProcessorShare } from "#lib/processor-share";
import type { Databases } from "../database.ts";
import { isPostgres } from "../is-postgres.ts";
import { type ArchivedValue, ArchiveWriter, describeCopied, FORMAT, type Manifest } from "./archive.ts";
import { type Column, readTables, type Table } from "./schema.ts";

/** Rows per query, so that memory does not depend on the size of a table, and Postgres is busy only for a moment. */
const ROWS_PER_SLICE = 500;
/** Held by processes that will not exist after a restore. */
const SKIPPED = new Set(["leases"]);

export interface BackupOptions {
  readonly path: string;
  readonly version: string;
  readonly now: number;
  /** The key file's content, base64, if the backup should contain it. */
  readonly key?: string | undefined;
  /** It does not pause for other processes. */
  readonly isUrgent?: boolean;
  report(line: string): void;
  /** How many rows of a table were copied so far. */
  onRows?(table: string, rows: number): void;
  /** Ends the backup with its reason, and deletes the file. */
  readonly signal: AbortSignal;
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
      const copied = await copyTables(sources, archive, options);
      await archive.finish();
      return { manifest, ...copied };
    } catch (error) {
      await archive.abort();
      throw error;
    }
  });
}

async function copyTables(
  sources: readonly Kysely<unknown>[],
  archive: ArchiveWriter,
  { isUrgent, signal, report, onRows }: BackupOptions,
): Promise<{ readonly tables: number; readonly rows: number }> {
  const share = isUrgent ? undefined : new ProcessorShare();
  const afterSlice = async (table: string, rows: number) => {
    signal.throwIfAborted();
    onRows?.(table, rows);
    await share?.afterWork();
  };
  let [tables, rows] = [0, 0];
  for (const db of sources) {
    for (const table of await readTables(db)) {
      if (SKIPPED.has(table.name)) continue;
      const count = await copyTable(db, table, archive, afterSlice);
      if (count > 0) report(describeCopied(table.name, count));
      tables++;
      rows += count;
    }
  }
  return { tables, rows };
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

async function copyTable(
  db: Kysely<unknown>,
  { name, columns }: Table,
  archive: ArchiveWriter,
  afterSlice: (table: string, rows: number) => Promise<void>,
): Promise<number> {
  let rows = 0;
  await archive.beginTable(
    name,
    columns.map((column) => column.name),
  );
  for await (const slice of readSlices(db, name, sql.join(columns.map(selection)))) {
    for (const row of slice) await archive.row(columns.map((column) => archived(column, row[column.name])));
    rows += slice.length;
    await afterSlice(name, rows);
  }
  return archive.endTable();
}

type Row = Readonly<Record<string, unknown>>;

function readSlices(db: Kysely<unknown>, name: string, selected: RawBuilder<unknown>): AsyncGenerator<Row[]> {
  return isPostgres(db) ? readCursor(db, name, selected) : readByRowid(db, name, selected);
}

/** A cursor reads the table once. Slices ordered by `ctid` would each scan and sort all rows that follow (decision 0194). */
async function* readCursor(db: Kysely<unknown>, name: string, selected: RawBuilder<unknown>): AsyncGenerator<Row[]> {
  await sql`declare backup_rows no scroll cursor for select ${selected} from ${sql.table(name)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_PER_SLICE)} from backup_rows`.execute(db);
    yield rows;
    if (rows.length < ROWS_PER_SLICE) break;
  }
  await sql`close backup_rows`.execute(db);
}

async function* readByRowid(db: Kysely<unknown>, name: string, selected: RawBuilder<unknown>): AsyncGenerator<Row[]> {
  for (let after: unknown; ; ) {
    const from = after === undefined ? sql`` : sql`where rowid > ${after}`;
    const { rows } = await sql<Row>`select ${selected}, rowid as backup_position
      from ${sql.table(name)} ${from} order by rowid limit ${ROWS_PER_SLICE}`.execute(db);
    yield rows;
    if (rows.length < ROWS_PER_SLICE) break;
    after = rows.at(-1)?.backup_position;
  }
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
