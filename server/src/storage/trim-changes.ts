import type { MainDb } from "./database.ts";

/** A replica follows at most this many changes; one that is further behind reads everything again. */
export const FOLLOWED_CHANGES = 100_000;

/**
 * Deletes the oldest changes that no replica follows, those of at most `revisions` writes. Each write has at least one
 * row, so a replica that is more writes behind than are kept has more changes to follow than the maximum. Returns
 * whether there may be more.
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
