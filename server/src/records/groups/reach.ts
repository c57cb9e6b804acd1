import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { idList } from "#storage/id-list";

/** Beyond this, nobody wants to know it exactly, and counting takes time. */
export const MOST_COUNTED_USERS = 1_000;

/**
 * How many users, disabled ones aside, reach each of these servers, at most 200, by their groups; at most one more than is
 * counted. Servers that nobody reaches are missing. Servers in the same groups are counted once: there are few such sets.
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

/** The groups that show each of these servers, as text that is the same for the same groups. */
async function groupSets(db: MainDb, serverIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (serverIds.length === 0) return new Map();
  const links = await db
    .selectFrom("group_servers")
    .innerJoin("groups", "groups.id", "group_servers.group_id")
    .innerJoin("mcp_servers", "mcp_servers.id", "group_servers.server_id")
    .select(["group_servers.server_id", "group_servers.group_id"])
    .where("group_servers.server_id", "in", serverIds)
    .where((where) =>
      where.or([where("mcp_servers.status", "=", "active"), where("groups.show_draft_mcps", "=", true)]),
    )
    .orderBy("group_servers.group_id")
    .execute();
  const byServer = Map.groupBy(links, (link) => link.server_id);
  return new Map([...byServer].map(([id, groups]) => [id, groups.map((link) => link.group_id).join()]));
}
