import { sql } from "kysely";
import type { CallsDb } from "#storage/database";
import { MINUTE_MS } from "./minutes.ts";

/** What counts calls, by which span of time each row stands for. */
const COUNTED = [
  { table: "call_minutes", column: "minute", ms: MINUTE_MS },
  { table: "call_errors", column: "minute", ms: MINUTE_MS },
] as const;

/** Whole spans, the oldest first and about `limit` rows of each table. Answers whether there may be more. */
export async function deleteCallStatsBefore(db: CallsDb, before: number, limit: number): Promise<boolean> {
  let hasMore = false;
  for (const { table, column, ms } of COUNTED) {
    const [rows, span] = [sql.table(table), sql.ref(column)];
    const edge = Math.floor(before / ms);
    const last = sql<{ span: number }>`
      select ${span} as span from ${rows} where ${span} < ${edge} order by ${span} limit 1 offset ${limit - 1}`;
    const [found] = (await last.execute(db)).rows;
    await sql`delete from ${rows} where ${span} < ${found ? found.span + 1 : edge}`.execute(db);
    if (found) hasMore = true;
  }
  return hasMore;
}
