import { decodeCursor, encodeCursor } from "#lib/cursor";
import type { CallsDb } from "#storage/database";
import { lastNumber } from "./counters.ts";
import { type CallFilters, filtered, type ListedCall, withNames } from "./list.ts";

export interface ArrivedCalls {
  /** In the order of arrival in the log. */
  readonly calls: readonly ListedCall[];
  readonly cursor: string;
  /** Whether more calls are available now. */
  readonly hasMore: boolean;
}

/** Maximum number of calls per query, regardless of how many match the filters. */
const CALLS_PER_QUERY = 5_000;
const CURSOR_ID = /^arrived$/;
const cursorAt = (number: number) => encodeCursor({ at: number, id: "arrived" });

/** The cursor from which `followCalls` returns all later calls. */
export async function logEndCursor(db: CallsDb): Promise<string> {
  return cursorAt(await lastNumber(db, "calls"));
}

/**
 * Returns the calls that arrived in the log after the cursor. Numbers are assigned under the counter's lock and are not
 * visible before the commit, so no call appears behind one that was returned: a call that took an hour is returned when
 * it ends.
 */
export async function followCalls(
  db: CallsDb,
  { cursor, limit, filters = {} }: { cursor: string; limit: number; filters?: CallFilters },
): Promise<ArrivedCalls> {
  const newest = await lastNumber(db, "calls");
  // A restored log can end before the cursor.
  const after = Math.min(decodeCursor(cursor, CURSOR_ID).at, newest);
  const last = Math.min(after + CALLS_PER_QUERY, newest);
  // A subquery, so that the name filters do not lead the database to another index.
  const arrived = db.selectFrom("calls").selectAll().where("id", ">", after).where("id", "<=", last);
  const looked = arrived.orderBy("id").limit(CALLS_PER_QUERY).as("calls");
  const query = await filtered(db, db.selectFrom(looked).selectAll(), filters);
  const rows = (await query?.orderBy("id").limit(limit).execute()) ?? [];
  const end = rows.length === limit ? (rows.at(-1)?.id ?? last) : last;
  return { calls: await withNames(db, rows), cursor: cursorAt(end), hasMore: end < newest };
}
