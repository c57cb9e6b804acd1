import { type Kysely, sql } from "kysely";
import type { Clock } from "#lib/clock";
import type { Databases } from "../database.ts";
import { migrate, readMigrations } from "../migrate.ts";
import { type ArchivedRow, BadBackup, describeCopied, type Manifest, readArchive } from "./archive.ts";
import { type Column, readTables, type Table } from "./schema.ts";

/** Below the number of parameters that either database accepts. */
const PARAMETERS_PER_INSERT = 10_000;

/** The target of a restore already has tables. Printed as one line. */
export class TargetNotEmpty extends Error {
  override readonly name = "TargetNotEmpty";
}

/** Reads the whole file and verifies its checksums, before anything is written. */
export async function verifyBackup(path: string): Promise<Manifest> {
  let manifest: Manifest | undefined;
  for await (const line of readArchive(path)) if ("format" in line) manifest = line;
  if (!manifest) throw new BadBackup(`${path} is empty.`);
  const known = new Set((await Promise.all(["main", "calls"].map(readMigrations))).flat().map(({ name }) => name));
  const unknown = manifest.migrations.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new BadBackup(
      `${path} was made by a newer release (${manifest.version}, ${unknown}). Install that release first.`,
    );
  }
  return manifest;
}

export async function assertEmpty(databases: Databases, where: string): Promise<void> {
  for (const db of sourcesOf(databases)) {
    if ((await readTables(db)).length > 0) {
      throw new TargetNotEmpty(`${where} is not empty. Restore into a new folder or a new database.`);
    }
  }
}

/**
 * Creates the tables of the release that made the backup, fills them in one transaction per database, and then applies the
 * migrations of this release.
 */
export async function restoreBackup(
  databases: Databases,
  path: string,
  manifest: Manifest,
  { clock, ...progress }: RestoreOptions,
): Promise<void> {
  await migrate(databases, clock, new Set(manifest.migrations));
  await databases.withoutTimeout(async () => {
    for (const db of sourcesOf(databases)) {
      await db.transaction().execute((tx) => fillTables(tx, path, progress));
    }
  });
  await migrate(databases, clock);
  progress.signal.throwIfAborted();
}

interface Progress {
  report(line: string): void;
  /** Ends the restore with its reason. */
  readonly signal: AbortSignal;
}

interface RestoreOptions extends Progress {
  readonly clock: Clock;
}

/** After a failed restore: the target was empty, so everything in it came from the restore. */
export async function dropTables(databases: Databases): Promise<void> {
  for (const db of sourcesOf(databases)) {
    const names = (await readTables(db)).map(({ name }) => name).reverse();
    for (const name of [...names, "schema_migrations"]) await sql`drop table if exists ${sql.table(name)}`.execute(db);
  }
}

/** Both are typed without tables, because a backup names its tables itself. */
function sourcesOf({ dialect, main, calls }: Databases): Kysely<unknown>[] {
  const sources = [main, ...(dialect === "sqlite" ? [calls] : [])];
  return sources.map((db) => db as unknown as Kysely<unknown>);
}

/** Tables of the archive that this database does not have belong to the other file of SQLite. */
async function fillTables(tx: Kysely<unknown>, path: string, { report, signal }: Progress): Promise<void> {
  const tables = await readTables(tx);
  // Migrations insert rows, such as counters.
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx);
  const left = new Map(tables.map((table) => [table.name, table]));
  // The archive of SQLite has the tables in the order of their references; of Postgres, main and calls are mixed.
  let filler: TableFiller | undefined;
  for await (const line of readArchive(path)) {
    signal.throwIfAborted();
    if (Array.isArray(line)) await filler?.add(line);
    else if ("table" in line) {
      const table = left.get(line.table);
      filler = table && new TableFiller(tx, table, line.columns);
    } else if ("end" in line && filler) {
      await filler.flush();
      if (line.rows > 0) report(describeCopied(line.end, line.rows));
      filler = undefined;
    }
  }
}

class TableFiller {
  readonly #tx: Kysely<unknown>;
  readonly #name: string;
  readonly #columns: readonly Column[];
  readonly #perInsert: number;
  #rows: ArchivedRow[] = [];

  constructor(tx: Kysely<unknown>, table: Table, names: readonly string[]) {
    this.#tx = tx;
    this.#name = table.name;
    this.#columns = names.map((name) => {
      const column = table.columns.find((each) => each.name === name);
      if (!column) throw new BadBackup(`The table ${table.name} has no column ${name}.`);
      return column;
    });
    this.#perInsert = Math.floor(PARAMETERS_PER_INSERT / this.#columns.length);
  }

  async add(row: ArchivedRow): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= this.#perInsert) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    const names = sql.join(this.#columns.map(({ name }) => sql.ref(name)));
    const values = rows.map((row) => sql`(${sql.join(row.map((value, index) => this.#valueOf(value, index)))})`);
    await sql`insert into ${sql.table(this.#name)} (${names}) values ${sql.join(values)}`.execute(this.#tx);
  }

  #valueOf(value: ArchivedRow[number], index: number): unknown {
    const isBytes = this.#columns[index]?.kind === "bytes" && typeof value === "string";
    return isBytes ? Uint8Array.from(Buffer.from(value, "base64")) : value;
  }
}
