import type { MainDb } from "./database.ts";

/** A replica follows at most so many changes; one that was away for more reads everything anew. */
export const FOLLOWED_CHANGES = 100_000;

/**
 * Deletes changes that nobody follows any more, the oldest first and those of at most `revisions` writes. Each write has
 * at least one row, so who is behind by more writes than are kept has more rows before them than they would follow.
 * Answers whether there may be more.
 */
export async function trimChanges(db: MainDb, revisions: number, kept = FOLLOWED_CHANGES): Promise<boolean> {
  const oldest = await db.selectFrom("changes").select("revision").orderBy("revision").limit(1).executeTakeFirst();
  const counter = await db.selectFrom("change_counter").select("revision").where("id", "=", 1).executeTakeFirst();
  if (!oldest || !counter) return false;
  const last = Math.min(counter.revision - kept, oldest.revision + revisions - 1);
  if (last < oldest.revision) return false;
  await db.deleteFrom("changes").where("revision", "<=", last).execute();
  return last < counter.revision - kept;
}
