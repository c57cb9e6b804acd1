import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Clock } from "#lib/clock";
import { chainUnchained } from "./audit-chain.ts";
import type { Databases, MainTransaction } from "./database.ts";
import { hasTable } from "./has-table.ts";
import { RESTORE_ADVICE } from "./required-rows.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Any fixed number. It identifies the lock that lets replicas that start together migrate in sequence. */
const POSTGRES_LOCK = 4_721_083_355;

/**
 * The first line of a file whose number changed after it was released. Databases keep the name under which the migration
 * was applied, so that no release applies it again.
 */
const RECORDED_AS = /^-- recorded-as: (\S+)\n/;
/** A line of a file after which earlier releases cannot use the database. They then refuse to start. */
const BREAKING = /^-- breaks-earlier-releases$/m;

/** Existing audit rows are chained with SHA-256, which SQL cannot compute on both databases. */
const AUDIT_CHAIN = /^main\/\d+-audit-chain$/;

/** An applied migration does not fit this release. Printed as one line. */
export class MigrationConflict extends Error {
  override readonly name = "MigrationConflict";
  readonly problem: string;
  readonly advice: string;

  constructor(problem: string, advice: string) {
    super(`${problem} ${advice}`);
    this.problem = problem;
    this.advice = advice;
  }
}

export interface Migration {
  readonly file: string;
  /** The name in `schema_migrations`: the set and the file name, unless the file declares another one. */
  readonly name: string;
  readonly statements: readonly string[];
  /** Of the statements. Comments can change, statements of a released migration cannot. */
  readonly checksum: string;
  readonly isBreaking: boolean;
}

interface AppliedMigration {
  readonly name: string;
  /** Null if an earlier release applied it. */
  readonly checksum: string | null;
  /** 1 if earlier releases cannot use the database. */
  readonly breaking: number;
}

/**
 * Applies every missing migration, in one transaction per database, and returns their names. Ignores unknown names,
 * which a newer release applied: the schema of a release also serves the binary of the previous release, unless the
 * migration is marked as breaking. `only`: the tables of an earlier release, for its backup.
 */
export async function migrate(databases: Databases, clock: Clock, only?: ReadonlySet<string>): Promise<string[]> {
  if (databases.dialect === "postgres") {
    return databases.withoutTimeout(() => apply(databases.main, "postgres", ["main", "calls"], clock, only));
  }
  const main = await apply(databases.main, "sqlite", ["main"], clock, only);
  const calls = await apply(databases.calls, "sqlite", ["calls"], clock, only);
  return [...main, ...calls];
}

async function apply<Tables>(
  db: Kysely<Tables>,
  dialect: Databases["dialect"],
  sets: readonly string[],
  clock: Clock,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const migrations = (await Promise.all(sets.map(readMigrations))).flat();
  return db.transaction().execute(async (transaction) => {
    // SQLite needs no separate lock, because every transaction begins IMMEDIATE.
    if (dialect === "postgres") await sql`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(transaction);
    await ensureTable(transaction, dialect);
    const applied = await readApplied(transaction, migrations, sets);
    const missing = migrations.filter(({ name }) => !applied.has(name) && (only?.has(name) ?? true));
    for (const { name, statements, checksum, isBreaking } of missing) {
      for (const statement of statements) await applyStatement(transaction, name, statement);
      // Migrations of this name exist only in the main database.
      if (AUDIT_CHAIN.test(name)) await chainUnchained(transaction as unknown as MainTransaction);
      await sql`INSERT INTO schema_migrations (name, applied_at, checksum, breaking)
        VALUES (${name}, ${clock.now()}, ${checksum}, ${isBreaking ? 1 : 0})`.execute(transaction);
    }
    return missing.map(({ name }) => name);
  });
}

/** Of Postgres, for tables, columns, and indexes. SQLite has only texts. */
const EXISTS_CODES = new Set(["42P07", "42701", "42710"]);
const EXISTS_TEXT = /already exists|duplicate column name/;

async function applyStatement<Tables>(tx: Transaction<Tables>, name: string, statement: string): Promise<void> {
  try {
    await sql.raw(statement).execute(tx);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!EXISTS_CODES.has(code) && !(error instanceof Error && EXISTS_TEXT.test(error.message))) throw error;
    throw new MigrationConflict(
      `The database has what the migration ${name} creates, but its table schema_migrations does not list this migration.`,
      `${RESTORE_ADVICE} If the tables belong to another application, use a separate database.`,
    );
  }
}

export interface MigrationStatus {
  readonly known: number;
  readonly missing: number;
}

/** Changes nothing. Rejects with `MigrationConflict` if `migrate` would. */
export async function readMigrationStatus({ dialect, main, calls }: Databases): Promise<MigrationStatus> {
  const status =
    dialect === "postgres"
      ? [await statusOf(main, ["main", "calls"])]
      : [await statusOf(main, ["main"]), await statusOf(calls, ["calls"])];
  const sum = (field: keyof MigrationStatus) => status.reduce((total, each) => total + each[field], 0);
  return { known: sum("known"), missing: sum("missing") };
}

async function statusOf<Tables>(db: Kysely<Tables>, sets: readonly string[]): Promise<MigrationStatus> {
  const migrations = (await Promise.all(sets.map(readMigrations))).flat();
  const applied = new Set<string>();
  if (await hasTable(db, "schema_migrations")) {
    // Earlier releases created the table without the columns `checksum` and `breaking`.
    const { rows } = await sql<Partial<AppliedMigration>>`select * from schema_migrations`.execute(db);
    for (const { name = "", checksum = null, breaking = 0 } of rows) {
      assertFits({ name, checksum, breaking }, migrations, sets);
      applied.add(name);
    }
  }
  return { known: migrations.length, missing: migrations.filter(({ name }) => !applied.has(name)).length };
}

/** By name. Adds the checksums that earlier releases did not store. */
async function readApplied<Tables>(
  tx: Transaction<Tables>,
  migrations: readonly Migration[],
  sets: readonly string[],
): Promise<ReadonlyMap<string, AppliedMigration>> {
  const { rows } = await sql<AppliedMigration>`select name, checksum, breaking from schema_migrations`.execute(tx);
  for (const row of rows) assertFits(row, migrations, sets);
  const applied = new Map(rows.map((row) => [row.name, row]));
  for (const { name, checksum } of migrations) {
    if (applied.get(name)?.checksum !== null) continue;
    await sql`UPDATE schema_migrations SET checksum = ${checksum} WHERE name = ${name}`.execute(tx);
  }
  return applied;
}

async function ensureTable<Tables>(tx: Transaction<Tables>, dialect: Databases["dialect"]): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
    name TEXT NOT NULL PRIMARY KEY,
    applied_at BIGINT NOT NULL,
    checksum TEXT,
    breaking BIGINT NOT NULL DEFAULT 0
  )`.execute(tx);
  // Earlier releases created the table without these columns.
  const columns =
    dialect === "sqlite"
      ? await sql<{ name: string }>`select name from pragma_table_info('schema_migrations')`.execute(tx)
      : await sql<{ name: string }>`select attname as name from pg_attribute
          where attrelid = to_regclass('schema_migrations') and attnum > 0`.execute(tx);
  if (columns.rows.some(({ name }) => name === "checksum")) return;
  await sql`ALTER TABLE schema_migrations ADD COLUMN checksum TEXT`.execute(tx);
  await sql`ALTER TABLE schema_migrations ADD COLUMN breaking BIGINT NOT NULL DEFAULT 0`.execute(tx);
}

function assertFits(applied: AppliedMigration, migrations: readonly Migration[], sets: readonly string[]): void {
  const known = migrations.find(({ name }) => name === applied.name);
  if (known && applied.checksum !== null && applied.checksum !== known.checksum) {
    throw new MigrationConflict(
      `The migration ${applied.name} of the database differs from the one of this release.`,
      "Start the release that applied it, or restore a backup.",
    );
  }
  const isOfSet = sets.some((set) => applied.name.startsWith(`${set}/`));
  if (!known && isOfSet && Number(applied.breaking) === 1) {
    throw new MigrationConflict(
      `The database belongs to a newer release (${applied.name}), which this release cannot use.`,
      "Start the newer release, or restore a backup.",
    );
  }
}

/** In the order in which they are applied. */
export async function readMigrations(set: string): Promise<Migration[]> {
  const files = (await readdir(new URL(`${set}/`, FOLDER))).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(`${set}/${file}`, FOLDER), "utf8");
      const name = RECORDED_AS.exec(text)?.[1] ?? `${set}/${file.slice(0, -".sql".length)}`;
      const statements = splitStatements(text);
      return { file, name, statements, checksum: checksumOf(statements), isBreaking: BREAKING.test(text) };
    }),
  );
}

function checksumOf(statements: readonly string[]): string {
  return createHash("sha256").update(statements.join(";\n")).digest("hex");
}

/** A statement ends with `;` at the end of a line. Comments are on separate lines. */
export function splitStatements(text: string): string[] {
  const code = text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("--"))
    .join("\n");
  return code
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
