import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { idList } from "#storage/id-list";
import { accessibleServerLinks } from "./access.ts";

/** Counting stops here, because exact numbers above it are slow to count and not needed. */
export const MOST_COUNTED_USERS = 1_000;

/**
 * The number of enabled users with access to each of these servers (at most 200), limited to `MOST_COUNTED_USERS` + 1.
 * Servers without users are missing. Counts once per distinct set of groups, because servers share few of them.
 */
export async function reachingUsers(db: MainDb, serverIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sets = await groupSets(db, serverIds);
  const keys = [...new Set(sets.values())];
  if (keys.length === 0) return new Map();
  const counts = keys.map(
    (key, at) => sql`select cast(${sql.lit(at)} as bigint) as at, (select count(*) from (
      select distinct group_users.user_id from group_users join users on users.id = group_users.user_id
      where group_users.group_id in ${idList(db, key.split(","))} and users.disabled = ${sql.lit(false)}
      limit ${sql.lit(MOST_COUNTED_USERS + 1)}) as reaching) as users`,
  );
  const { rows } = await sql<{ at: number; users: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
  const users = new Map(rows.map((row) => [keys[Number(row.at)], Number(row.users)]));
  return new Map([...sets].map(([id, key]) => [id, users.get(key) ?? 0]));
}

/** For each server, the ids of the groups that give access to it, joined to one text. */
async function groupSets(db: MainDb, serverIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (serverIds.length === 0) return new Map();
  const links = await accessibleServerLinks(db)
    .select(["group_servers.server_id", "group_servers.group_id"])
    .where("group_servers.server_id", "in", serverIds)
    .orderBy("group_servers.group_id")
    .execute();
  const byServer = Map.groupBy(links, (link) => link.server_id);
  return new Map([...byServer].map(([id, groups]) => [id, groups.map((link) => link.group_id).join()]));
}
