import { type Kysely, PostgresAdapter } from "kysely";

/**
 * Locks the rows that a write judges before it changes them. SQLite needs no lock: BEGIN IMMEDIATE has kept other
 * writers out since the transaction began.
 */
export function lockRows<Tables, Query extends { forUpdate(): Query }>(db: Kysely<Tables>, query: Query): Query {
  return db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate() : query;
}
