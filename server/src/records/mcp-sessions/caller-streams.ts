import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { idList } from "#storage/id-list";
import type { CallerStreamRow } from "#storage/session-tables";

const MAX_PER_CALLER = 256;
const MAX_ROWS = 100_000;

/** The states of the streams of a caller, newest first. */
export async function callerStreamsOf(db: MainDb, callerHash: string, after: number): Promise<CallerStreamRow[]> {
  return db
    .selectFrom("caller_streams")
    .selectAll()
    .where("caller_hash", "=", callerHash)
    .where("seen_at", ">", after)
    .orderBy("seen_at", "desc")
    .limit(MAX_PER_CALLER)
    .execute();
}

export async function saveCallerStreams(db: MainDb, rows: readonly CallerStreamRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto("caller_streams")
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        lists: sql.ref("excluded.lists"),
        resources: sql.ref("excluded.resources"),
        seen_at: sql.ref("excluded.seen_at"),
      }),
    )
    .execute();
}

export async function deleteCallerStreams(db: MainDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("caller_streams").where("id", "in", idList(db, ids)).execute();
}

/** Callers can open any number of streams, so the oldest states above the limit are deleted too. */
export async function deleteCallerStreamsBefore(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("caller_streams").where("seen_at", "<", before).execute();
  const oldest = await db
    .selectFrom("caller_streams")
    .select("seen_at")
    .orderBy("seen_at", "desc")
    .offset(MAX_ROWS)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await db.deleteFrom("caller_streams").where("seen_at", "<=", oldest.seen_at).execute();
}
