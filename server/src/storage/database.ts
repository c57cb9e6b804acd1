import type { Kysely, Transaction } from "kysely";
import type { CallTables } from "./call-tables.ts";
import type { SqliteHost } from "./sqlite-thread.ts";
import type { MainTables } from "./tables.ts";

/** For reads, outside or inside a transaction. */
export type MainDb = Kysely<MainTables>;
export type MainTransaction = Transaction<MainTables>;
export type CallsDb = Kysely<CallTables>;

export interface CompactedFile {
  readonly path: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * The databases of one process. With SQLite, each is a file with its own worker threads, so that no query runs on the
 * event loop; with Postgres, both are the same database behind one pool.
 */
export interface Databases {
  readonly dialect: "sqlite" | "postgres";
  readonly main: MainDb;
  /**
   * The same tables, for transactions whose statements `host` runs: with SQLite, it opens the file; with Postgres, this
   * thread passes them on (decision 0251).
   */
  mainIn(host: SqliteHost): MainDb;
  readonly calls: CallsDb;
  /** The same calls, for statistics, exports and searches: with SQLite on a separate thread, so that nothing waits for them. */
  readonly callReports: CallsDb;
  /** Whether another process may have committed to `main` since the last call. Cheap, because it reads no table. */
  mayHaveChanged(): Promise<boolean>;
  /** Runs work without timeouts of queries and transactions, such as a migration. */
  withoutTimeout<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Reads one state of all tables while others write: the databases, for Postgres one, as they were when it began. Only for
   * commands, because it occupies the read connections.
   */
  readSnapshot<Result>(work: (sources: readonly Kysely<unknown>[]) => Promise<Result>): Promise<Result>;
  /** Runs one statement on `calls` without a timeout and outside of the pool, such as the creation of an index. */
  runLong(statement: string, signal: AbortSignal): Promise<void>;
  /** Returns some free space of SQLite files to the file system. Resolves to whether there is more. */
  reclaimSpace(): Promise<boolean>;
  /** Rewrites SQLite files without their free space; undefined for Postgres. */
  readonly compact: (() => Promise<CompactedFile[]>) | undefined;
  close(): Promise<void>;
}
