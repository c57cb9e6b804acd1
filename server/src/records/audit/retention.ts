import type { MainDb } from "#storage/database";

/** Deletes the oldest rows from before that time, about `limit` of them. Answers whether there may be more. */
export async function deleteAuditBefore(db: MainDb, before: number, limit: number): Promise<boolean> {
  const edge = await db
    .selectFrom("audit")
    .select(["at", "id"])
    .where("at", "<", before)
    .orderBy("at")
    .orderBy("id")
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  const old = db.deleteFrom("audit").where("at", "<", before);
  const slice = edge ? old.where((row) => row(row.refTuple("at", "id"), "<=", row.tuple(edge.at, edge.id))) : old;
  await slice.execute();
  return edge !== undefined;
}
