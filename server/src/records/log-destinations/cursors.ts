import type { MainDb, MainTransaction } from "#storage/database";
import type { CursorSource, LogCursorRow } from "#storage/log-destination-tables";

type CursorKey = Pick<LogCursorRow, "destination_id" | "source">;

/** Cursors of enabled destinations that can be shipped now and that no other process holds. */
export async function dueCursors(db: MainDb, holder: string, now: number, claimMs: number): Promise<LogCursorRow[]> {
  return db
    .selectFrom("log_cursors")
    .innerJoin("log_destinations", "log_destinations.id", "log_cursors.destination_id")
    .selectAll("log_cursors")
    .where("log_destinations.enabled", "=", true)
    .where("log_cursors.due_at", "<=", now)
    .where((is) =>
      is.or([
        is("log_cursors.claimed_by", "=", holder),
        is("log_cursors.claimed_until", "<=", now),
        // OPS-6: beyond any claim, so the clock was set back and the holder may be dead.
        is("log_cursors.claimed_until", ">", now + 2 * claimMs),
      ]),
    )
    .orderBy("log_cursors.due_at")
    .execute();
}

/** Takes or renews the claim. Undefined: another process holds it, or the destination was disabled or deleted. */
export async function claimCursor(
  db: MainDb,
  { destination_id, source }: CursorKey,
  { holder, now, claimMs }: { readonly holder: string; readonly now: number; readonly claimMs: number },
): Promise<LogCursorRow | undefined> {
  return db
    .updateTable("log_cursors")
    .set({ claimed_by: holder, claimed_until: now + claimMs })
    .where("destination_id", "=", destination_id)
    .where("source", "=", source)
    .where("due_at", "<=", now)
    .where((is) =>
      is.or([
        is("claimed_by", "=", holder),
        is("claimed_until", "<=", now),
        is("claimed_until", ">", now + 2 * claimMs),
      ]),
    )
    .where("destination_id", "in", (is) =>
      is.selectFrom("log_destinations").select("log_destinations.id").where("enabled", "=", true),
    )
    .returningAll()
    .executeTakeFirst();
}

export async function releaseCursors(db: MainDb, holder: string): Promise<void> {
  await db
    .updateTable("log_cursors")
    .set({ claimed_by: null, claimed_until: 0 })
    .where("claimed_by", "=", holder)
    .execute();
}

export type CursorChanges = Partial<
  Pick<LogCursorRow, "position" | "furthest" | "shipped" | "lost" | "lost_at" | "rejected" | "shipped_at" | "due_at"> &
    Pick<LogCursorRow, "failures" | "failing_since" | "last_error">
>;

/**
 * Stores the result of a batch. False: the cursor was moved meanwhile, by a rewind or by the process that took over the
 * claim, and nothing was written.
 */
export async function moveCursor(
  db: MainDb,
  { destination_id, source, position }: CursorKey & Pick<LogCursorRow, "position">,
  holder: string,
  changes: CursorChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("log_cursors")
    .set(changes)
    .where("destination_id", "=", destination_id)
    .where("source", "=", source)
    .where("position", "=", position)
    .where("claimed_by", "=", holder)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Also ends the wait after failures. */
export async function rewindCursor(
  tx: MainTransaction,
  destinationId: string,
  source: CursorSource,
  position: number,
): Promise<void> {
  await tx
    .updateTable("log_cursors")
    .set({ position, due_at: 0 })
    .where("destination_id", "=", destinationId)
    .where("source", "=", source)
    .execute();
}

/** The next attempt comes immediately, for example because the destination was changed. */
export async function retryNow(tx: MainTransaction, destinationId: string): Promise<void> {
  await tx.updateTable("log_cursors").set({ due_at: 0 }).where("destination_id", "=", destinationId).execute();
}
