import { type LocalServer, localUrl } from "#gateway/upstream/transport/local-servers";
import { BadSetting } from "#lib/bad-setting";
import { autoAssignGroupIds, linkServers } from "#records/groups";
import { insertServerAs, localServers, lockServer, serverSearchText, updateServer } from "#records/mcp-servers";
import type { MainTransaction } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteContext, type WriteTrail, writeTransaction } from "#storage/transaction";

const AUTHOR = {
  actor: { kind: "system", id: "local-servers-file", name: "LOCAL_SERVERS_FILE" },
  requestId: "local-servers-file",
} as const;
const GONE = "The server is not in LOCAL_SERVERS_FILE any more";

/**
 * D3: the servers of the operator's file become records, found again by their slugs. One that left the file keeps its
 * groups and settings but has nothing behind it, so nobody sees its tools; when it comes back, all is as before.
 */
export async function registerLocalServers(context: WriteContext, servers: readonly LocalServer[]): Promise<string[]> {
  const known = await localServers(context.db);
  if (known.length === 0 && servers.length === 0) return [];
  const slugs = new Set(servers.map((server) => server.slug));
  const { result } = await writeTransaction(context, AUTHOR, async (tx, trail) => {
    const ids: string[] = [];
    for (const server of servers) ids.push(await register(tx, trail, server, context));
    for (const row of known) {
      if (!slugs.has(row.slug) && row.upstream_url !== null) await letGo(tx, trail, row, context);
    }
    return ids;
  });
  return result;
}

async function register(
  tx: MainTransaction,
  trail: WriteTrail,
  server: LocalServer,
  context: WriteContext,
): Promise<string> {
  const row = newRow(server, context);
  const before = await lockServer(tx, server.slug);
  if (!before && (await insertServerAs(tx, row))) {
    const groupIds = await autoAssignGroupIds(tx, "auto_assign_mcps");
    const links = groupIds.map((groupId) => ({ group_id: groupId, server_id: row.id }));
    await linkServers(tx, links);
    trail.changed("group", ...groupIds);
    note(trail, row, "addLocalServer");
    return row.id;
  }
  const present = before ?? (await lockServer(tx, server.slug));
  if (!present?.is_local) {
    throw new BadSetting(
      `LOCAL_SERVERS_FILE: "${server.name}" would have the slug ${server.slug}, which an MCP server of the API has`,
    );
  }
  if (present.upstream_url === row.upstream_url && present.name === row.name) return present.id;
  const { name, upstream_url, updated_at } = row;
  const search_text = serverSearchText(name, present.description);
  await updateServer(tx, present.id, { name, search_text, upstream_url, updated_at, sync_error: null });
  note(trail, present, "addLocalServer");
  return present.id;
}

async function letGo(
  tx: MainTransaction,
  trail: WriteTrail,
  row: McpServerRow,
  { clock }: WriteContext,
): Promise<void> {
  await updateServer(tx, row.id, { upstream_url: null, sync_error: GONE, updated_at: clock.now() });
  note(trail, row, "removeLocalServer");
}

function note(trail: WriteTrail, { id, slug, name }: McpServerRow, operation: string): void {
  trail.changed("server", id);
  trail.audit({ operation, target: { kind: "mcp-server", id, name: slug }, after: { slug, name } });
}

function newRow({ slug, name }: LocalServer, { clock, newId }: WriteContext): McpServerRow {
  const now = clock.now();
  return {
    id: newId("srv"),
    slug,
    name,
    description: "",
    search_text: serverSearchText(name, ""),
    status: "active",
    connector_id: null,
    upstream_url: localUrl(slug),
    upstream_transport: null,
    auth_type: "none",
    auth_settings: {},
    sealed_client_secret: null,
    is_local: true,
    eras: [],
    sync_tried_at: null,
    tools_synced_at: null,
    sync_error: null,
    tool_policy: "warn",
    created_at: now,
    updated_at: now,
  };
}
