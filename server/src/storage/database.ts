import type { Kysely, Transaction } from "kysely";
import type { CallTables } from "./call-tables.ts";
import type { MainTables } from "./tables.ts";

/** Reads outside a transaction, or inside one: stores take either. */
export type MainDb = Kysely<MainTables>;
export type MainTransaction = Transaction<MainTables>;
export type CallsDb = Kysely<CallTables>;

/**
 * The databases of one process. Under SQLite each is a file with a worker thread of its own, so that no query ever
 * runs on the event loop; under Postgres both are the same database behind one pool.
 */
export interface Databases {
  readonly dialect: "sqlite" | "postgres";
  readonly main: MainDb;
  readonly calls: CallsDb;
  /** True when another process may have committed to `main` since the last call: one cheap look, no table read. */
  mayHaveChanged(): Promise<boolean>;
  /** For what may take any time, such as a migration: meanwhile no query is given up because it takes long. */
  unhurried<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
