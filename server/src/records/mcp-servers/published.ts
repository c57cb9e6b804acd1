import { serverLinks } from "#records/groups";
import type { MainDb } from "#storage/database";
import type { CallLimitColumns } from "#storage/limit-tables";
import type { McpServerRow, ServerItemRow, ServerToolRow } from "#storage/server-tables";

export type PublishedTool = Pick<
  ServerToolRow,
  "upstream_name" | "slug" | "definition" | "position" | "required_capabilities"
> &
  Partial<CallLimitColumns>;

export type PublishedItem = Pick<ServerItemRow, "kind" | "upstream_name" | "slug" | "definition">;

type PublishedServerRow = Pick<
  McpServerRow,
  | "id"
  | "slug"
  | "name"
  | "status"
  | "upstream_url"
  | "upstream_transport"
  | "auth_type"
  | "sealed_shared_headers"
  | "is_local"
  | "limits"
  | "eras"
  | "tools_synced_at"
  | "sync_error"
  | "pass_instructions"
  | "result_limit_bytes"
>;

/**
 * The part of a server that the gateway needs, with its tools that are enabled and not held, and its other items that are
 * not held. Of held instructions, it has the accepted text.
 */
export interface PublishedServer extends PublishedServerRow {
  readonly tools: readonly PublishedTool[];
  readonly heldTools: number;
  /** Ordered by kind, then in the upstream's order. */
  readonly items: readonly PublishedItem[];
  /** Items that are hidden from callers. */
  readonly heldItems?: readonly Held[];
  readonly groupIds: readonly string[];
}

/** One page, by id, for a full build. The first page comes after "". */
export async function publishedServersAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedServer[]> {
  return withParts(db, await serverRows(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time. Deleted servers are missing from the result. */
export async function publishedServersByIds(db: MainDb, ids: readonly string[]): Promise<PublishedServer[]> {
  return withParts(db, await serverRows(db).where("id", "in", ids).execute());
}

function serverRows(db: MainDb) {
  return db
    .selectFrom("mcp_servers")
    .select([
      "id",
      "slug",
      "name",
      "status",
      "upstream_url",
      "upstream_transport",
      "auth_type",
      "sealed_shared_headers",
      "is_local",
      "limits",
      "eras",
      "tools_synced_at",
      "sync_error",
      "pass_instructions",
      "result_limit_bytes",
    ]);
}

async function withParts(db: MainDb, rows: PublishedServerRow[]): Promise<PublishedServer[]> {
  if (rows.length === 0) return [];
  const servers = new Map(
    rows.map((row) => {
      const tools: PublishedTool[] = [];
      const items: PublishedItem[] = [];
      const heldItems: Held[] = [];
      return [row.id, { ...row, tools, heldTools: 0, items, heldItems }];
    }),
  );
  const ids = [...servers.keys()];
  const tools = await db
    .selectFrom("server_tools")
    .leftJoin("tool_limits", (join) =>
      join
        .onRef("tool_limits.server_id", "=", "server_tools.server_id")
        .onRef("tool_limits.tool_name", "=", "server_tools.upstream_name"),
    )
    .select(["server_tools.server_id", "upstream_name", "slug", "definition", "position", "required_capabilities"])
    .select(["held", "digest", "rejected_digest", "calls_per_minute", "concurrent_calls"])
    .where("server_tools.server_id", "in", ids)
    .where("enabled", "=", true)
    .execute();
  for (const { server_id, held, digest, rejected_digest, ...tool } of tools) {
    const server = servers.get(server_id);
    if (!server || (held && rejected_digest === digest)) continue;
    if (held) server.heldTools++;
    else server.tools.push(tool);
  }
  const items = await db
    .selectFrom("server_items")
    .select(["server_id", "kind", "upstream_name", "slug", "definition", "held", "pinned_definition"])
    .where("server_id", "in", ids)
    .orderBy("server_id")
    .orderBy("kind")
    .orderBy("position")
    .execute();
  for (const { server_id, ...item } of items) {
    const server = servers.get(server_id);
    if (server) placeItem(server, item);
  }
  const groupIds = await serverLinks.groupsOf(db, ids);
  return [...servers.values()].map((server) => ({ ...server, groupIds: groupIds.get(server.id) ?? [] }));
}

type Held = Pick<PublishedItem, "kind" | "upstream_name">;
type ItemRow = PublishedItem & Pick<ServerItemRow, "held" | "pinned_definition">;

function placeItem(
  server: { readonly items: PublishedItem[]; readonly heldItems: Held[] },
  { held, pinned_definition: accepted, ...item }: ItemRow,
): void {
  if (!held) server.items.push(item);
  else if (item.kind !== "instructions") server.heldItems.push({ kind: item.kind, upstream_name: item.upstream_name });
  else if (accepted !== null) server.items.push({ ...item, definition: accepted });
}
