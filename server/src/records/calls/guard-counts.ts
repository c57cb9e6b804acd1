import { sql } from "kysely";
import type { CallsDb } from "#storage/database";

/** How often a guard was evaluated and fired. */
export interface GuardCount {
  readonly evaluated: number;
  readonly fired: number;
  /** Epoch milliseconds. */
  readonly lastFiredAt: number | undefined;
}

/** Adds to the stored counts, by the IDs of the guards. */
export async function addGuardCounts(db: CallsDb, counts: ReadonlyMap<string, GuardCount>, now: number): Promise<void> {
  if (counts.size === 0) return;
  // In one order, so that two processes cannot wait for each other's rows.
  const rows = [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, { evaluated, fired, lastFiredAt }]) => ({
      ...{ guard_id: id, evaluated, fired, last_fired_at: lastFiredAt ?? null, updated_at: now },
    }));
  await db
    .insertInto("guard_counts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("guard_id").doUpdateSet({
        evaluated: sql`guard_counts.evaluated + excluded.evaluated`,
        fired: sql`guard_counts.fired + excluded.fired`,
        last_fired_at: sql`case when guard_counts.last_fired_at is null or excluded.last_fired_at > guard_counts.last_fired_at
          then coalesce(excluded.last_fired_at, guard_counts.last_fired_at) else guard_counts.last_fired_at end`,
        updated_at: sql`excluded.updated_at`,
      }),
    )
    .execute();
}

/** By the IDs of the guards. A guard that was never evaluated is missing. */
export async function guardCountsOf(db: CallsDb, ids: readonly string[]): Promise<ReadonlyMap<string, GuardCount>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("guard_counts").selectAll().where("guard_id", "in", ids).execute();
  return new Map(
    rows.map(({ guard_id, evaluated, fired, last_fired_at }) => [
      guard_id,
      { evaluated, fired, lastFiredAt: last_fired_at ?? undefined },
    ]),
  );
}

/** Counts of guards that were not evaluated since, such as deleted ones. */
export async function deleteGuardCountsBefore(db: CallsDb, before: number): Promise<void> {
  await db.deleteFrom("guard_counts").where("updated_at", "<", before).execute();
}
