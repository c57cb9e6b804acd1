import { type Kysely, sql } from "kysely";
import type { Clock } from "#lib/clock";
import type { Databases } from "../database.ts";
import { migrate, readMigrations } from "../migrate.ts";
import { type ArchivedRow, BadBackup, describeCopied, type Manifest, readArchive } from "./archive.ts";
import { sourcesOf } from "./restore-target.ts";
import { type Column, readTables, type Table } from "./schema.ts";

/** Below the number of parameters that either database accepts. */
const PARAMETERS_PER_INSERT = 10_000;

/** Reads the whole file and verifies its checksums, before anything is written. */
export async function verifyBackup(path: string, progress?: Pick<Progress, "onRows" | "signal">): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let [table, rows] = ["", 0];
  for await (const line of readArchive(path)) {
    progress?.signal.throwIfAborted();
    if ("format" in line) manifest = line;
    else if ("table" in line) [table, rows] = [line.table, 0];
    else if (Array.isArray(line)) progress?.onRows?.(table, ++rows);
  }
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
  /** How many rows of a table were read or stored so far. */
  onRows?(table: string, rows: number): void;
  /** Ends the restore with its reason. */
  readonly signal: AbortSignal;
}

interface RestoreOptions extends Progress {
  readonly clock: Clock;
}

/** Tables of the archive that this database does not have belong to the other file of SQLite. */
async function fillTables(tx: Kysely<unknown>, path: string, { report, onRows, signal }: Progress): Promise<void> {
  const tables = await readTables(tx);
  // Migrations insert rows, such as counters.
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx);
  const left = new Map(tables.map((table) => [table.name, table]));
  // The archive of SQLite has the tables in the order of their references; of Postgres, main and calls are mixed.
  let filler: TableFiller | undefined;
  let rows = 0;
  for await (const line of readArchive(path)) {
    signal.throwIfAborted();
    if (Array.isArray(line) && filler) {
      await filler.add(line);
      onRows?.(filler.name, ++rows);
    } else if ("table" in line) {
      const table = left.get(line.table);
      rows = 0;
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
  readonly name: string;
  readonly #columns: readonly Column[];
  readonly #perInsert: number;
  #rows: ArchivedRow[] = [];

  constructor(tx: Kysely<unknown>, table: Table, names: readonly string[]) {
    this.#tx = tx;
    this.name = table.name;
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
    await sql`insert into ${sql.table(this.name)} (${names}) values ${sql.join(values)}`.execute(this.#tx);
  }

  #valueOf(value: ArchivedRow[number], index: number): unknown {
    const isBytes = this.#columns[index]?.kind === "bytes" && typeof value === "string";
    return isBytes ? Uint8Array.from(Buffer.from(value, "base64")) : value;
  }
}
