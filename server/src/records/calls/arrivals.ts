import { decodeCursor, encodeCursor } from "#lib/cursor";
import type { CallsDb } from "#storage/database";
import { lastNumber } from "./counters.ts";
import { type CallFilters, filtered, type ListedCall, withNames } from "./list.ts";

export interface ArrivedCalls {
  /** In the order in which they came into the log. */
  readonly calls: readonly ListedCall[];
  readonly cursor: string;
  /** Whether to look again at once. */
  readonly hasMore: boolean;
}

/** How many calls one look goes through, however few of them are wanted. */
const LOOK = 5_000;
const PLACE = /^arrived$/;
const placed = (number: number) => encodeCursor({ at: number, id: "arrived" });

/** From here on, `followCalls` misses nothing. */
export async function whereLogEnds(db: CallsDb): Promise<string> {
  return placed(await lastNumber(db, "calls"));
}

/**
 * What came into the log after that. Numbers are given while the counter is locked and read by nobody before they are
 * committed, so none appears behind one that was seen: also a call that took an hour is met when it ends.
 */
export async function followCalls(
  db: CallsDb,
  { cursor, limit, filters = {} }: { cursor: string; limit: number; filters?: CallFilters },
): Promise<ArrivedCalls> {
  const newest = await lastNumber(db, "calls");
  // A log that was restored ends before what was seen of the one before.
  const after = Math.min(decodeCursor(cursor, PLACE).at, newest);
  const last = Math.min(after + LOOK, newest);
  // By itself, so that the wanted names do not lead the database to another index.
  const arrived = db.selectFrom("calls").selectAll().where("id", ">", after).where("id", "<=", last);
  const looked = arrived.orderBy("id").limit(LOOK).as("calls");
  const query = await filtered(db, db.selectFrom(looked).selectAll(), filters);
  const rows = (await query?.orderBy("id").limit(limit).execute()) ?? [];
  const end = rows.length === limit ? (rows.at(-1)?.id ?? last) : last;
  return { calls: await withNames(db, rows), cursor: placed(end), hasMore: end < newest };
}
