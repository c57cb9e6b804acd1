import { sql } from "kysely";
import type { MainDb } from "#storage/database";

/** Beyond this, nobody wants to know it exactly, and counting takes time. */
export const MOST_COUNTED_USERS = 1_000;

/** How many users, disabled ones aside, reach each of these servers by their groups; at most one more than is counted. Servers that nobody reaches are missing. */
export async function reachingUsers(db: MainDb, serverIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (serverIds.length === 0) return new Map();
  const reaching = sql<number>`(select count(*) from (
    select distinct group_users.user_id from group_servers
    join groups on groups.id = group_servers.group_id
    join group_users on group_users.group_id = groups.id
    join users on users.id = group_users.user_id
    where group_servers.server_id = mcp_servers.id and users.disabled = ${sql.lit(false)}
      and (mcp_servers.status = 'active' or groups.show_draft_mcps = ${sql.lit(true)})
    limit ${sql.lit(MOST_COUNTED_USERS + 1)}) as reaching)`;
  const rows = await db
    .selectFrom("mcp_servers")
    .select(["id", reaching.as("users")])
    .where("id", "in", serverIds)
    .execute();
  return new Map(rows.flatMap(({ id, users }) => (Number(users) === 0 ? [] : [[id, Number(users)] as const])));
}
