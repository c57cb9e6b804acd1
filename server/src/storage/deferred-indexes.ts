import { sql } from "kysely";
import type { Databases } from "./database.ts";

/**
 * Indexes of tables that can be very large. A migration would build them before the service starts, and on Postgres
 * under a lock that blocks writers; a job builds them while the service runs. Queries work without them, but slowly.
 */
const INDEXES = [
  { name: "calls_request", on: "calls (request_id)" },
  { name: "calls_toolkit", on: "calls (toolkit, at) WHERE toolkit IS NOT NULL" },
  { name: "calls_trace", on: "calls (trace_id) WHERE trace_id IS NOT NULL" },
] as const;

/** Builds the missing indexes. Can be repeated at any time, also after a build that was interrupted. */
export async function buildDeferredIndexes(databases: Databases, signal: AbortSignal): Promise<void> {
  for (const { name, on } of INDEXES) {
    if (signal.aborted) return;
    if (databases.dialect === "sqlite") {
      // Takes about a second per million calls. The mover waits, and calls continue in the spool.
      await databases.runLong(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`, signal);
      continue;
    }
    const state = await stateOfIndex(databases, name);
    // An interrupted build leaves an index that is maintained but never used.
    if (state === "invalid") await databases.runLong(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`, signal);
    if (state !== "valid") await databases.runLong(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`, signal);
  }
}

async function stateOfIndex({ calls }: Databases, name: string): Promise<"valid" | "invalid" | "missing"> {
  const { rows } = await sql<{ indisvalid: boolean }>`
    select indisvalid from pg_index where indexrelid = to_regclass(${name})`.execute(calls);
  if (!rows[0]) return "missing";
  return rows[0].indisvalid ? "valid" : "invalid";
}
