import type { Kysely, Transaction } from "kysely";
import type { CallTables } from "./call-tables.ts";
import type { MainTables } from "./tables.ts";

/** For reads, outside or inside a transaction. */
export type MainDb = Kysely<MainTables>;
export type MainTransaction = Transaction<MainTables>;
export type CallsDb = Kysely<CallTables>;

/**
 * The databases of one process. With SQLite, each is a file with its own worker thread, so that no query runs on the
 * event loop; with Postgres, both are the same database behind one pool.
 */
export interface Databases {
  readonly dialect: "sqlite" | "postgres";
  readonly main: MainDb;
  readonly calls: CallsDb;
  /** Whether another process may have committed to `main` since the last call. Cheap, because it reads no table. */
  mayHaveChanged(): Promise<boolean>;
  /** Runs work without query timeouts, such as a migration. */
  withoutTimeout<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
