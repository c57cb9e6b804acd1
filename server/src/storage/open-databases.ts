import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import type { Logger } from "#lib/logger";
import type { CallTables } from "./call-tables.ts";
import type { Databases } from "./database.ts";
import { openPostgresPool, type PostgresPoolOptions } from "./postgres-dialect.ts";
import { compactFile, reclaimSpace, sqliteFile } from "./reclaim-space.ts";
import { SqliteThreadDialect } from "./sqlite-dialect.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import type { SqliteDurability } from "./sqlite-worker.ts";
import type { MainTables } from "./tables.ts";

export interface DatabaseLocation {
  dataDir: string;
  /** `postgres://…`, or undefined for the SQLite files in `dataDir`. */
  databaseUrl: string | undefined;
  logger: Logger;
  /** The response timeout of Postgres, if not the default. */
  postgresTimeoutMs?: number | undefined;
}

/** Opens the databases without changing them; `migrate` creates the tables. */
export async function openDatabases(location: DatabaseLocation): Promise<Databases> {
  const { dataDir, databaseUrl, logger, postgresTimeoutMs: responseTimeoutMs } = location;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (databaseUrl === undefined) return openSqliteFiles(dataDir);
  return openPostgres({ connectionString: databaseUrl, logger, responseTimeoutMs });
}

async function openSqliteFiles(dataDir: string): Promise<Databases> {
  const [mainPath, callsPath] = [join(dataDir, "gatehouse.db"), join(dataDir, "calls.db")];
  const mainThread = await openFile(mainPath, "power-loss");
  // Calls reach this file through the spool, and a write to disk for each batch would slow the log down.
  const callsThread = await openFile(callsPath, "process-crash").catch(async (error: unknown) => {
    await mainThread.close();
    throw error;
  });
  const reportsThread = await SqliteThread.openReader(callsPath);
  const main = new Kysely<MainTables>({ dialect: new SqliteThreadDialect(mainThread) });
  const calls = new Kysely<CallTables>({ dialect: new SqliteThreadDialect(callsThread) });
  const callReports = new Kysely<CallTables>({ dialect: new SqliteThreadDialect(callsThread, reportsThread) });
  const files = { main: sqliteFile(mainPath, main), calls: sqliteFile(callsPath, calls) };
  let lastVersion: unknown;
  return {
    dialect: "sqlite",
    main,
    calls,
    callReports,
    async mayHaveChanged() {
      // On the read connection, where this process's commits count too: it can be true unnecessarily, but never false
      // wrongly.
      const { rows } = await mainThread.run("read", "PRAGMA data_version");
      const version = rows[0]?.[0];
      const changed = version !== lastVersion;
      lastVersion = version;
      return changed;
    },
    withoutTimeout: (work) => work(),
    runLong: async (statement) => void (await sql.raw(statement).execute(calls)),
    async reclaimSpace() {
      const more = [await reclaimSpace(files.calls), await reclaimSpace(files.main)];
      return more.includes(true);
    },
    compact: async () => [await compactFile(files.calls), await compactFile(files.main)],
    async close() {
      await Promise.all([mainThread.close(), callsThread.close(), reportsThread.close()]);
    },
  };
}

/** SQLite gives its -wal and -shm files the mode of the database file, so only that one must be set. */
async function openFile(path: string, durability: SqliteDurability): Promise<SqliteThread> {
  const file = await open(path, "a", 0o600);
  await file.close();
  return SqliteThread.open(path, durability);
}

function openPostgres(options: PostgresPoolOptions): Databases {
  const { dialect, withoutTimeout, runLong, end } = openPostgresPool(options);
  const calls = new Kysely<CallTables>({ dialect });
  return {
    dialect: "postgres",
    main: new Kysely<MainTables>({ dialect }),
    calls,
    callReports: calls,
    // Postgres has no comparably cheap check; callers read the change counter.
    mayHaveChanged: async () => true,
    withoutTimeout,
    runLong,
    reclaimSpace: async () => false,
    compact: undefined,
    close: end,
  };
}
