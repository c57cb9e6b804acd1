import type { MainDb } from "#storage/database";

/**
 * The access rule of the gateway (`gateway/snapshot/resolve.ts`) in SQL: a group gives access to its active servers, and
 * to its draft servers if it shows drafts.
 */
export function accessibleServerLinks(db: MainDb) {
  return db
    .selectFrom("group_servers")
    .innerJoin("groups", "groups.id", "group_servers.group_id")
    .innerJoin("mcp_servers", "mcp_servers.id", "group_servers.server_id")
    .where((where) =>
      where.or([where("mcp_servers.status", "=", "active"), where("groups.show_draft_mcps", "=", true)]),
    );
}
