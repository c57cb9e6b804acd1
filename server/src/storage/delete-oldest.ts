import { type Kysely, sql } from "kysely";

/**
 * Deletes about `limit` rows older than the given time, oldest first: one range of the index on `at, id`, so that a
 * slice costs the same for any table size. Returns whether there may be more.
 */
export async function deleteOldest<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  before: number,
  limit: number,
): Promise<boolean> {
  const rows = sql.table(table);
  const last = sql<{ at: number; id: number | string }>`
    select at, id from ${rows} where at < ${before} order by at, id limit 1 offset ${limit - 1}`;
  const [edge] = (await last.execute(db)).rows;
  const range = edge ? sql`(at, id) <= (${edge.at}, ${edge.id})` : sql`at < ${before}`;
  await sql`delete from ${rows} where ${range}`.execute(db);
  return edge !== undefined;
}
