import { selects, type ToolSelection } from "#lib/tool-selection";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";
import type { GroupServerRow } from "#storage/user-tables";
import type { GroupLink } from "./links.ts";

/** A server in a group. */
export interface ServerGrant extends Omit<GroupServerRow, "group_id"> {
  readonly group_id: string;
  readonly group_name: string;
  readonly server_slug: string;
  readonly server_name: string;
  readonly server_status: McpServerRow["status"];
}

export interface GrantFilter {
  readonly groupId: string | undefined;
  readonly serverId: string | undefined;
}

/** Ordered by group, then server. */
export async function listGrants(
  db: MainDb,
  { groupId, serverId }: GrantFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ServerGrant[]> {
  let query = grants(db);
  if (groupId !== undefined) query = query.where("group_servers.group_id", "=", groupId);
  if (serverId !== undefined) query = query.where("group_servers.server_id", "=", serverId);
  return query
    .orderBy("groups.name_key")
    .orderBy("mcp_servers.slug")
    .orderBy("groups.id")
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function findGrant(db: MainDb, link: GroupLink): Promise<ServerGrant | undefined> {
  return grants(db)
    .where("group_servers.group_id", "=", link.groupId)
    .where("group_servers.server_id", "=", link.memberId)
    .executeTakeFirst();
}

function grants(db: MainDb) {
  return db
    .selectFrom("group_servers")
    .innerJoin("groups", "groups.id", "group_servers.group_id")
    .innerJoin("mcp_servers", "mcp_servers.id", "group_servers.server_id")
    .selectAll("group_servers")
    .select([
      "groups.name as group_name",
      "mcp_servers.slug as server_slug",
      "mcp_servers.name as server_name",
      "mcp_servers.status as server_status",
    ]);
}

/** Whether a group with this grant gives these tools; none means all tools of the server. */
export function isGranted(grant: ServerGrant | undefined, tools: readonly string[]): boolean {
  const selection = grant && selectionOf(grant);
  if (!grant || !selection) return grant !== undefined;
  return tools.length > 0 && tools.every((tool) => selects(selection, tool));
}

/** Undefined: all tools. */
export async function selectTools(
  tx: MainTransaction,
  trail: WriteTrail,
  link: GroupLink,
  selection: ToolSelection | undefined,
  now: number,
): Promise<void> {
  await tx
    .updateTable("group_servers")
    .set({
      tool_rule: selection?.rule ?? "all",
      tool_names: [...(selection?.names ?? [])].sort(),
      selected_at: selection ? now : null,
    })
    .where("group_id", "=", link.groupId)
    .where("server_id", "=", link.memberId)
    .execute();
  trail.changed("group", link.groupId);
}

/** Undefined: all tools. */
export function selectionOf({
  tool_rule: rule,
  tool_names: names,
}: Pick<GroupServerRow, "tool_rule" | "tool_names">): ToolSelection | undefined {
  return rule === "all" ? undefined : { rule, names: new Set(names) };
}

export function grantsTool(grant: Pick<GroupServerRow, "tool_rule" | "tool_names">, name: string): boolean {
  const selection = selectionOf(grant);
  return !selection || selects(selection, name);
}

/** The selections of these groups, by group and server. Groups and servers without one are missing. */
export async function selectionsOf(
  db: MainDb,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, ToolSelection>>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("group_servers")
    .selectAll()
    .where("group_id", "in", idList(db, groupIds))
    .where("tool_rule", "!=", "all")
    .execute();
  const found = new Map<string, Map<string, ToolSelection>>();
  for (const row of rows) {
    const selection = selectionOf(row);
    const ofGroup = found.get(row.group_id) ?? new Map<string, ToolSelection>();
    if (selection) ofGroup.set(row.server_id, selection);
    found.set(row.group_id, ofGroup);
  }
  return found;
}
