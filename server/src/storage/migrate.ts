import { readdir, readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";
import type { Clock } from "#lib/clock";
import type { Databases } from "./database.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Any fixed number. It identifies the lock that lets replicas that start together migrate in sequence. */
const POSTGRES_LOCK = 4_721_083_355;

/**
 * The first line of a file whose number changed after it was released. Databases keep the name under which the migration
 * was applied, so that no release applies it again.
 */
const RECORDED_AS = /^-- recorded-as: (\S+)\n/;

export interface Migration {
  readonly file: string;
  /** The name in `schema_migrations`: the set and the file name, unless the file declares another one. */
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Applies every missing migration, in one transaction per database, and returns their names. Ignores unknown names,
 * which a newer release applied: the schema of a release also serves the binary of the previous release.
 */
export async function migrate(databases: Databases, clock: Clock): Promise<string[]> {
  if (databases.dialect === "postgres") {
    return databases.withoutTimeout(() => apply(databases.main, "postgres", ["main", "calls"], clock));
  }
  const main = await apply(databases.main, "sqlite", ["main"], clock);
  const calls = await apply(databases.calls, "sqlite", ["calls"], clock);
  return [...main, ...calls];
}

async function apply<Tables>(
  db: Kysely<Tables>,
  dialect: Databases["dialect"],
  sets: readonly string[],
  clock: Clock,
): Promise<string[]> {
  const migrations = (await Promise.all(sets.map(readMigrations))).flat();
  return db.transaction().execute(async (transaction) => {
    // SQLite needs no separate lock, because every transaction begins IMMEDIATE.
    if (dialect === "postgres") await sql`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(transaction);
    await sql`CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)`.execute(
      transaction,
    );
    const { rows } = await sql<{ name: string }>`SELECT name FROM schema_migrations`.execute(transaction);
    const applied = new Set(rows.map(({ name }) => name));
    const missing = migrations.filter(({ name }) => !applied.has(name));
    for (const { name, statements } of missing) {
      for (const statement of statements) await sql.raw(statement).execute(transaction);
      await sql`INSERT INTO schema_migrations (name, applied_at) VALUES (${name}, ${clock.now()})`.execute(transaction);
    }
    return missing.map(({ name }) => name);
  });
}

/** In the order in which they are applied. */
export async function readMigrations(set: string): Promise<Migration[]> {
  const files = (await readdir(new URL(`${set}/`, FOLDER))).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(`${set}/${file}`, FOLDER), "utf8");
      const name = RECORDED_AS.exec(text)?.[1] ?? `${set}/${file.slice(0, -".sql".length)}`;
      return { file, name, statements: splitStatements(text) };
    }),
  );
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
