import type { CallsDb } from "#storage/database";
import { lastNumber } from "./counters.ts";
import { type ListedCall, withNames } from "./list.ts";

/** The number of the last call in the log. */
export function lastCallNumber(db: CallsDb): Promise<number> {
  return lastNumber(db, "calls");
}

/** The stored calls with numbers above `after`, up to `last`, in the order of their arrival in the log. */
export async function callsBetween(db: CallsDb, after: number, last: number): Promise<ListedCall[]> {
  const rows = await db
    .selectFrom("calls")
    .selectAll()
    .where("id", ">", after)
    .where("id", "<=", last)
    .orderBy("id")
    .execute();
  return withNames(db, rows);
}

/** The lowest number of the calls since this time. A long call has a higher number than shorter ones that began later. */
export async function firstCallFrom(db: CallsDb, time: number): Promise<number | undefined> {
  const { id } = await db
    .selectFrom("calls")
    .select((row) => row.fn.min("id").as("id"))
    .where("at", ">=", time)
    .executeTakeFirstOrThrow();
  return id === null ? undefined : Number(id);
}

/** When the first stored call after this number ended. */
export async function oldestCallAfter(db: CallsDb, number: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("calls")
    .select(["at", "duration_us"])
    .where("id", ">", number)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && row.at + Math.round(row.duration_us / 1000);
}
