import { type RawBuilder, sql, type Transaction } from "kysely";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { takeNumbers } from "./counters.ts";
import { DAY_MINUTES, EVERYONE, KINDS } from "./minutes.ts";

const COUNTER = "days_from";

/** The first day that the day tables cover. Earlier days are read from minutes until the job has counted them. */
export async function daysCountedFrom(db: CallsDb): Promise<number> {
  const row = await db.selectFrom("log_counters").select("value").where("name", "=", COUNTER).executeTakeFirst();
  return row?.value ?? Number.MAX_SAFE_INTEGER;
}

/**
 * Counts the newest day that an earlier release stored only in minutes. Returns whether there may be more. The mover
 * waits meanwhile, and calls continue in the spool.
 */
export async function countEarlierDay(db: CallsDb): Promise<boolean> {
  const from = await daysCountedFrom(db);
  if (from === 0) return false;
  return db.transaction().execute(async (tx) => {
    // The lock of the counter keeps other processes from adding calls to the day.
    await takeNumbers(tx, "calls", 0);
    const { newest } = await tx
      .selectFrom("call_minutes")
      .select((is) => is.fn.max("minute").as("newest"))
      .where("minute", "<", from * DAY_MINUTES)
      .executeTakeFirstOrThrow();
    const day = newest === null ? 0 : Math.floor(Number(newest) / DAY_MINUTES);
    if (newest !== null) await countDay(tx, day);
    await tx.updateTable("log_counters").set({ value: day }).where("name", "=", COUNTER).execute();
    return newest !== null;
  });
}

/** Replaces the day's rows, because the mover may have added calls to a day that was not counted completely. */
async function countDay(tx: Transaction<CallTables>, day: number): Promise<void> {
  const counted = tx.selectFrom("call_days").select("day").where("kind", "=", EVERYONE).where("day", "=", day).limit(1);
  if (await counted.executeTakeFirst()) {
    const kinds = [EVERYONE, ...Object.values(KINDS)];
    await tx.deleteFrom("call_days").where("kind", "in", kinds).where("day", "=", day).execute();
    await tx.deleteFrom("call_day_durations").where("day", "=", day).execute();
  }
  const minutes = sql`call_minutes where minute >= ${day * DAY_MINUTES} and minute < ${(day + 1) * DAY_MINUTES}`;
  const count = async (kind: number, name: RawBuilder<unknown>, within: RawBuilder<unknown>, where: string) => {
    const key = sql`cast(${kind} as bigint) as kind, ${name} as name, ${within} as within, cast(${day} as bigint) as day`;
    const rows = sql`select ${key}, method, outcome, bucket, calls, duration_us from ${minutes} ${sql.raw(where)}`;
    await sql`insert into call_days (kind, day, name, within, method, outcome, calls)
      select kind, day, name, within, method, outcome, cast(sum(calls) as bigint) from (${rows}) as counted
      group by kind, day, name, within, method, outcome`.execute(tx);
    await sql`insert into call_day_durations (kind, name, within, day, method, outcome, bucket, calls, duration_us)
      select kind, name, within, day, method, outcome, bucket, cast(sum(calls) as bigint), cast(sum(duration_us) as bigint)
      from (${rows}) as counted group by kind, name, within, day, method, outcome, bucket`.execute(tx);
  };
  const none = sql`cast(0 as bigint)`;
  await count(EVERYONE, none, none, "");
  await count(KINDS.server, sql`server`, none, "and server <> 0");
  await count(KINDS.tool, sql`tool`, sql`server`, "and tool <> 0");
  await count(KINDS.user_email, sql`user_email`, none, "");
}
