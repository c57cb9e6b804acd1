import type { MainDb } from "#storage/database";
import type { StoredResultRow } from "#storage/stored-result-tables";

export type { StoredResultRow };

export async function insertStoredResult(db: MainDb, row: StoredResultRow): Promise<void> {
  await db.insertInto("stored_results").values(row).execute();
}

/** Undefined if it belongs to another user or is older. */
export async function findStoredResult(
  db: MainDb,
  { id, userId, after }: { readonly id: string; readonly userId: string; readonly after: number },
): Promise<StoredResultRow | undefined> {
  return db
    .selectFrom("stored_results")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("created_at", ">", after)
    .executeTakeFirst();
}

export async function storedTotals(db: MainDb): Promise<{ readonly count: number; readonly bytes: number }> {
  const { count, bytes } = await db
    .selectFrom("stored_results")
    .select((is) => [is.fn.countAll<number>().as("count"), is.fn.sum<number | string | null>("bytes").as("bytes")])
    .executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes ?? 0) };
}

/** Deletes the oldest results of a user beyond the limits. */
export async function trimStoredResults(
  db: MainDb,
  userId: string,
  limits: { readonly count: number; readonly bytes: number },
): Promise<void> {
  const rows = await db
    .selectFrom("stored_results")
    .select(["id", "bytes"])
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  let bytes = 0;
  const surplus = rows.filter((row, at) => {
    bytes += row.bytes;
    return at >= limits.count || bytes > limits.bytes;
  });
  if (surplus.length === 0) return;
  const ids = surplus.slice(0, 500).map(({ id }) => id);
  await db.deleteFrom("stored_results").where("id", "in", ids).execute();
}

export async function deleteStoredResultsBefore(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("stored_results").where("created_at", "<=", before).execute();
}
