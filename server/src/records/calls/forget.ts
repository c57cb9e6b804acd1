import { sql } from "kysely";
import type { CallsDb } from "#storage/database";
import { DAY_MINUTES, EVERYONE, HOUR_MINUTES, KINDS, MINUTE_MS, SPAN_MINUTES } from "./minutes.ts";

/** The count tables, with the time span of their rows. */
const COUNTED = [
  { table: "call_minutes", column: "minute", ms: MINUTE_MS },
  { table: "call_errors", column: "minute", ms: MINUTE_MS },
  { table: "call_spans", column: "span", ms: SPAN_MINUTES * MINUTE_MS },
] as const;

/** Deletes complete spans, oldest first, about `limit` rows per table. Returns whether there may be more. */
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
  const moreHours = await deleteHoursBefore(db, before);
  return (await deleteDaysBefore(db, before)) || moreHours || hasMore;
}

/** Deletes one day at a time. */
async function deleteHoursBefore(db: CallsDb, before: number): Promise<boolean> {
  const edge = Math.floor(before / (HOUR_MINUTES * MINUTE_MS));
  const kinds = Object.values(KINDS);
  const { oldest } = await db
    .selectFrom("call_hours")
    .select((is) => is.fn.min("hour").as("oldest"))
    // Every call has a user, so these rows cover all hours.
    .where("kind", "=", KINDS.user_email)
    .executeTakeFirstOrThrow();
  if (oldest === null || Number(oldest) >= edge) return false;
  const end = Math.min(edge, Number(oldest) + 24);
  await db.deleteFrom("call_hours").where("kind", "in", kinds).where("hour", "<", end).execute();
  return end < edge;
}

/** Deletes one day at a time. Durations are ordered by name, so that each deletion reads the whole table once a day. */
async function deleteDaysBefore(db: CallsDb, before: number): Promise<boolean> {
  const edge = Math.floor(before / (DAY_MINUTES * MINUTE_MS));
  const { oldest } = await db
    .selectFrom("call_days")
    .select((is) => is.fn.min("day").as("oldest"))
    .where("kind", "=", EVERYONE)
    .executeTakeFirstOrThrow();
  if (oldest === null || Number(oldest) >= edge) return false;
  const end = Number(oldest) + 1;
  await db.deleteFrom("call_day_durations").where("day", "<", end).execute();
  await db
    .deleteFrom("call_days")
    .where("kind", "in", [EVERYONE, ...Object.values(KINDS)])
    .where("day", "<", end)
    .execute();
  return end < edge;
}
