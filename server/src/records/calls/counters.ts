import type { Transaction } from "kysely";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";

/** Reserves `count` consecutive numbers and returns the first. The counter stays locked until the transaction ends. */
export async function takeNumbers(
  tx: Transaction<CallTables>,
  counter: "calls" | "names",
  count: number,
): Promise<number> {
  const { value } = await tx
    .updateTable("log_counters")
    .set((expression) => ({ value: expression("value", "+", count) }))
    .where("name", "=", counter)
    .returning("value")
    .executeTakeFirstOrThrow();
  return value - count + 1;
}

/** The last number whose call is committed. */
export async function lastNumber(db: CallsDb, counter: "calls" | "names"): Promise<number> {
  const row = await db.selectFrom("log_counters").select("value").where("name", "=", counter).executeTakeFirstOrThrow();
  return row.value;
}
