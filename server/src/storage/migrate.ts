import { readdir, readFile } from "node:fs/promises";
import { type Kysely, sql } from "kysely";
import type { Clock } from "#lib/clock";
import type { Databases } from "./database.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Any fixed number: it names the lock under which replicas that start together migrate one after the other. */
const POSTGRES_LOCK = 4_721_083_355;

interface Migration {
  name: string;
  statements: string[];
}

/**
 * Applies every migration that is missing, in one transaction per database, and returns their names. Names that it
 * does not know are a newer release's and left alone: a release's schema serves the previous release's binary.
 */
export async function migrate(databases: Databases, clock: Clock): Promise<string[]> {
  if (databases.dialect === "postgres") {
    return databases.unhurried(() => apply(databases.main, "postgres", ["main", "calls"], clock));
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
  const migrations = (await Promise.all(sets.map(readSet))).flat();
  return db.transaction().execute(async (transaction) => {
    // SQLite needs no lock of its own: every transaction of ours begins IMMEDIATE.
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

async function readSet(set: string): Promise<Migration[]> {
  const files = (await readdir(new URL(`${set}/`, FOLDER))).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: `${set}/${file.slice(0, -".sql".length)}`,
      statements: splitStatements(await readFile(new URL(`${set}/${file}`, FOLDER), "utf8")),
    })),
  );
}

/** A statement ends with `;` at the end of a line; comments have lines of their own. */
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
