import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import type { Logger } from "#lib/logger";
import type { CallTables } from "./call-tables.ts";
import type { Databases } from "./database.ts";
import { openPostgresPool, type PostgresPoolOptions, type PostgresTimeouts } from "./postgres-dialect.ts";
import { compactFile, reclaimSpace, sqliteFile } from "./reclaim-space.ts";
import { OnDemandThread, SqliteThreadDialect, WriterQueue } from "./sqlite-dialect.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import type { SqliteDurability } from "./sqlite-worker.ts";
import type { MainTables } from "./tables.ts";

export interface DatabaseLocation {
  dataDir: string;
  /** `postgres://…`, or undefined for the SQLite files in `dataDir`. */
  databaseUrl: string | undefined;
  logger: Logger;
  /** Rejects if another process serves the SQLite files. Commands that run next to a service do not set it. */
  isService?: boolean;
  postgresTimeouts?: PostgresTimeouts | undefined;
  /** Of `gatehouse.db`; `power-loss` by default. */
  sqliteDurability?: SqliteDurability | undefined;
}

/** Another process serves the SQLite files. Printed as one line. */
export class DataDirInUse extends Error {
  override readonly name = "DataDirInUse";
}

/** Opens the databases without changing them; `migrate` creates the tables. */
export async function openDatabases(location: DatabaseLocation): Promise<Databases> {
  const { dataDir, databaseUrl, logger, postgresTimeouts: timeouts } = location;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (databaseUrl === undefined) return openSqliteFiles(location);
  return openPostgres({ connectionString: databaseUrl, logger, timeouts });
}

async function openSqliteFiles(location: DatabaseLocation): Promise<Databases> {
  const { dataDir, isService = false, sqliteDurability = "power-loss" } = location;
  const [mainPath, callsPath] = [join(dataDir, "gatehouse.db"), join(dataDir, "calls.db")];
  const mainThread = await openFile(mainPath, sqliteDurability, isService ? lockPathOf(dataDir) : undefined).catch(
    refuseSecondService(dataDir),
  );
  // Calls reach this file through the spool, and a write to disk for each batch would slow the log down.
  const callsThread = await openFile(callsPath, "process-crash").catch(async (error: unknown) => {
    // A thread that stays open would keep the process alive.
    await mainThread.close();
    throw error;
  });
  const callReader = new OnDemandThread(() => SqliteThread.openReader(callsPath));
  const writers = new WriterQueue();
  const main = new Kysely<MainTables>({ dialect: new SqliteThreadDialect({ thread: mainThread, writers }) });
  const hosted: OnDemandThread[] = [];
  const calls = new Kysely<CallTables>({ dialect: new SqliteThreadDialect({ thread: callsThread }) });
  const callReports = new Kysely<CallTables>({
    dialect: new SqliteThreadDialect({ thread: callsThread, reader: callReader }),
  });
  const files = { main: sqliteFile(mainPath, main), calls: sqliteFile(callsPath, calls) };
  let lastVersion: unknown;
  return {
    dialect: "sqlite",
    main,
    mainIn(host) {
      const thread = new OnDemandThread(() => SqliteThread.openIn(host, mainPath, sqliteDurability));
      hosted.push(thread);
      return new Kysely<MainTables>({ dialect: new SqliteThreadDialect({ thread, writers }) });
    },
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
    async readSnapshot(work) {
      await pinSnapshots(mainThread, callsThread);
      try {
        return await work([withoutTables(main), withoutTables(calls)]);
      } finally {
        for (const thread of [mainThread, callsThread]) await thread.run("read", "ROLLBACK");
      }
    },
    runLong: async (statement) => void (await sql.raw(statement).execute(calls)),
    async reclaimSpace() {
      const more = [await reclaimSpace(files.calls), await reclaimSpace(files.main)];
      return more.includes(true);
    },
    compact: async () => [await compactFile(files.calls), await compactFile(files.main)],
    async close() {
      // The main thread of the file closes last, because it empties the write-ahead log.
      await Promise.all(hosted.map((thread) => thread.close()));
      await Promise.all([mainThread.close(), callsThread.close(), callReader.close()]);
    },
  };
}

/**
 * Starts a read transaction in each file, so that both show the same instant: nothing is written to the first file until
 * the second transaction has begun. Mostly that is so without a lock. A backup that gets little processor time would hold
 * one for long, so it locks writers out only after several attempts.
 */
async function pinSnapshots(first: SqliteThread, second: SqliteThread): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_WITHOUT_LOCK; attempt++) {
    const before = await versionOf(first);
    await beginRead(first);
    await beginRead(second);
    if ((await versionOf(first)) === before) return;
    for (const thread of [first, second]) await thread.run("read", "ROLLBACK");
  }
  await first.run("write", "BEGIN IMMEDIATE");
  try {
    await beginRead(first);
    await beginRead(second);
  } finally {
    await first.run("write", "ROLLBACK");
  }
}

/** The service writes to the main file a few times per second, and an attempt takes about a millisecond. */
const ATTEMPTS_WITHOUT_LOCK = 20;

/** Differs after another connection has committed. On the write connection, because that has no open transaction. */
async function versionOf(thread: SqliteThread): Promise<unknown> {
  const { rows } = await thread.run("write", "PRAGMA data_version");
  return rows[0]?.[0];
}

async function beginRead(thread: SqliteThread): Promise<void> {
  await thread.run("read", "BEGIN");
  // A read transaction begins with its first read.
  await thread.run("read", "SELECT count(*) FROM sqlite_master");
}

/** A copy reads the names of tables from the database. */
function withoutTables<Tables>(db: Kysely<Tables>): Kysely<unknown> {
  return db as unknown as Kysely<unknown>;
}

/** Holds the lock of a service without opening its files, until `close`. Rejects if another process holds it. */
export async function lockDataDir(dataDir: string): Promise<{ close(): Promise<void> }> {
  const lockPath = lockPathOf(dataDir);
  await createFile(lockPath);
  return SqliteThread.lock(lockPath).catch(refuseSecondService(dataDir));
}

function lockPathOf(dataDir: string): string {
  return join(dataDir, "service.lock");
}

function refuseSecondService(dataDir: string): (error: unknown) => never {
  return (error) => {
    throw isLocked(error) ? new DataDirInUse(inUse(dataDir), { cause: error }) : error;
  };
}

/** SQLite gives its -wal and -shm files the mode of the database file, so only that one must be set. */
async function openFile(path: string, durability: SqliteDurability, lockPath?: string): Promise<SqliteThread> {
  for (const each of lockPath === undefined ? [path] : [path, lockPath]) await createFile(each);
  return SqliteThread.open(path, durability, lockPath);
}

async function createFile(path: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  await file.close();
}

const SQLITE_BUSY = 5;

function isLocked(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "errcode" in cause && Number(cause.errcode) % 256 === SQLITE_BUSY;
}

function inUse(dataDir: string): string {
  return `DATA_DIR (${dataDir}) is in use by another Gatehouse process. Stop it first, or use Postgres for several processes.`;
}

function openPostgres(options: PostgresPoolOptions): Databases {
  const { dialect, withoutTimeout, runLong, end } = openPostgresPool(options);
  const calls = new Kysely<CallTables>({ dialect });
  const main = new Kysely<MainTables>({ dialect });
  return {
    dialect: "postgres",
    main,
    mainIn: () => main,
    calls,
    callReports: calls,
    // Postgres has no comparably cheap check; callers read the change counter.
    mayHaveChanged: async () => true,
    withoutTimeout,
    readSnapshot: (work) =>
      withoutTimeout(() =>
        main
          .transaction()
          .setIsolationLevel("repeatable read")
          .setAccessMode("read only")
          .execute((tx) => work([withoutTables(tx)])),
      ),
    runLong,
    reclaimSpace: async () => false,
    compact: undefined,
    close: end,
  };
}
