import { type Kysely, PostgresAdapter } from "kysely";

/**
 * Locks rows that a write reads before it changes them. SQLite needs no lock, because BEGIN IMMEDIATE keeps other
 * writers out from the start of the transaction.
 */
export function lockRows<Tables, Query extends { forUpdate(): Query }>(db: Kysely<Tables>, query: Query): Query {
  return db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate() : query;
}
