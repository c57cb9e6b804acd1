import { sql, type Transaction } from "kysely";
import { type BulkColumn, insertRows } from "#storage/bulk-insert";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { takeNumbers } from "./counters.ts";
import { bucketOf } from "./histogram.ts";

export const MINUTE_MS = 60_000;

type CountedCall = Pick<
  CallTables["calls"],
  "at" | "server" | "tool" | "user_email" | "method" | "outcome" | "duration_us"
>;

const COUNTED = ["at", "server", "tool", "user_email", "method", "outcome", "duration_us"] as const;
const KEY = ["minute", "server", "tool", "user_email", "method", "outcome", "bucket"] as const;
const COLUMNS: readonly BulkColumn[] = [...KEY, "calls", "duration_us"].map((name) => [name, "bigint"]);
const ADD = `on conflict (${KEY.join(", ")}) do update set
  calls = call_minutes.calls + excluded.calls, duration_us = call_minutes.duration_us + excluded.duration_us`;

/**
 * Adds calls to their minutes, in the transaction that brings them into the log. The caller holds the lock of the `calls`
 * counter: two who touch the same minutes would otherwise wait for each other.
 */
export async function countCalls(tx: Transaction<CallTables>, calls: readonly CountedCall[]): Promise<void> {
  const rows = new Map<string, number[]>();
  for (const { at, server, tool, user_email, method, outcome, duration_us } of calls) {
    const minute = Math.floor(at / MINUTE_MS);
    const key = [minute, server ?? 0, tool ?? 0, user_email, method, outcome, bucketOf(duration_us)];
    const name = key.join();
    const row = rows.get(name);
    if (!row) rows.set(name, [...key, 1, duration_us]);
    else {
      row[KEY.length] = (row[KEY.length] ?? 0) + 1;
      row[KEY.length + 1] = (row[KEY.length + 1] ?? 0) + duration_us;
    }
  }
  await insertRows(tx, "call_minutes", COLUMNS, [...rows.values()], ADD);
}

/** Counts calls that an earlier release brought into the log, about `limit` of them. Answers whether there may be more. */
export async function countEarlierCalls(db: CallsDb, limit: number): Promise<boolean> {
  // A literal: SQLite takes the index that holds only these for no other form of the question.
  const uncounted = sql<boolean>`rolled_up = 0`;
  return db.transaction().execute(async (tx) => {
    await takeNumbers(tx, "calls", 0);
    const calls = await tx
      .selectFrom("calls")
      .select([...COUNTED, "id"])
      .where(uncounted)
      .orderBy("at")
      .orderBy("id")
      .limit(limit)
      .execute();
    const last = calls.at(-1);
    if (!last) return false;
    await countCalls(tx, calls);
    await tx
      .updateTable("calls")
      .set({ rolled_up: 1 })
      .where(uncounted)
      .where((is) => is(is.refTuple("at", "id"), "<=", is.tuple(last.at, last.id)))
      .execute();
    return calls.length === limit;
  });
}
