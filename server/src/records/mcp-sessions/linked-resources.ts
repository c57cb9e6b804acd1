import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { idList } from "#storage/id-list";
import type { LinkedResourceRow } from "#storage/session-tables";

/** Per user and in total, because results of tools decide how many there are. */
const MAX_PER_USER = 1_000;
const MAX_ROWS = 200_000;

/** The newest link to a URI replaces an older one. */
export async function rememberLinkedResources(db: MainDb, rows: readonly LinkedResourceRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto("linked_resources")
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column("key_hash").doUpdateSet({
        server_id: sql.ref("excluded.server_id"),
        linked_at: sql.ref("excluded.linked_at"),
      }),
    )
    .execute();
  for (const userId of new Set(rows.map(({ user_id }) => user_id))) await trimOfUser(db, userId);
}

async function trimOfUser(db: MainDb, userId: string): Promise<void> {
  const surplus = await db
    .selectFrom("linked_resources")
    .select("key_hash")
    .where("user_id", "=", userId)
    .orderBy("linked_at", "desc")
    .offset(MAX_PER_USER)
    .limit(MAX_PER_USER)
    .execute();
  if (surplus.length === 0) return;
  const keys = surplus.map(({ key_hash }) => key_hash);
  await db.deleteFrom("linked_resources").where("key_hash", "in", idList(db, keys)).execute();
}

export async function findLinkedServer(db: MainDb, keyHash: string, after: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("linked_resources")
    .select("server_id")
    .where("key_hash", "=", keyHash)
    .where("linked_at", ">", after)
    .executeTakeFirst();
  return row?.server_id;
}

export async function deleteLinkedResourcesBefore(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("linked_resources").where("linked_at", "<", before).execute();
  const oldest = await db
    .selectFrom("linked_resources")
    .select("linked_at")
    .orderBy("linked_at", "desc")
    .offset(MAX_ROWS)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await db.deleteFrom("linked_resources").where("linked_at", "<=", oldest.linked_at).execute();
}
