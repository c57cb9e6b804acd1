import { type LocalServer, localUrl } from "#gateway/upstream/transport/local-servers";
import { BadSetting } from "#lib/bad-setting";
import { joinAutoAssignGroups } from "#records/groups";
import { insertServerAs, localServers, lockServer, serverSearchText, updateServer } from "#records/mcp-servers";
import type { MainTransaction } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteContext, type WriteTrail, writeTransaction } from "#storage/transaction";

const ACTOR = {
  actor: { kind: "system", id: "local-servers-file", name: "LOCAL_SERVERS_FILE" },
  requestId: "local-servers-file",
} as const;
const REMOVED_FROM_FILE = "The server is not in LOCAL_SERVERS_FILE any more";

/**
 * D3: stores the servers of the operator's file as records, identified by slug. A server that was removed from the file
 * keeps its groups and settings but has no upstream, so its tools are hidden until it is in the file again.
 */
export async function registerLocalServers(context: WriteContext, servers: readonly LocalServer[]): Promise<string[]> {
  const known = await localServers(context.db);
  if (known.length === 0 && servers.length === 0) return [];
  const slugs = new Set(servers.map((server) => server.slug));
  const { result } = await writeTransaction(context, ACTOR, async (tx, trail) => {
    const ids: string[] = [];
    for (const server of servers) ids.push(await register(tx, trail, server, context));
    for (const row of known) {
      if (!slugs.has(row.slug) && row.upstream_url !== null) await removeUpstream(tx, trail, row, context);
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
  if (!before && (await insertServerAs(tx, trail, row))) {
    await joinAutoAssignGroups(tx, trail, "auto_assign_mcps", row.id);
    audit(trail, row, "addLocalServer");
    return row.id;
  }
  const present = before ?? (await lockServer(tx, server.slug));
  if (!present?.is_local) {
    throw new BadSetting(
      `LOCAL_SERVERS_FILE: "${server.name}" needs the slug ${server.slug}, which another MCP server already has`,
    );
  }
  if (present.upstream_url === row.upstream_url && present.name === row.name) return present.id;
  const { name, upstream_url, updated_at } = row;
  const search_text = serverSearchText(name, present.description);
  await updateServer(tx, trail, present.id, {
    name,
    search_text,
    upstream_url,
    updated_at,
    sync_error: null,
    sync_failed_at: null,
  });
  audit(trail, present, "addLocalServer");
  return present.id;
}

async function removeUpstream(
  tx: MainTransaction,
  trail: WriteTrail,
  row: McpServerRow,
  { clock }: WriteContext,
): Promise<void> {
  await updateServer(tx, trail, row.id, { upstream_url: null, sync_error: REMOVED_FROM_FILE, updated_at: clock.now() });
  audit(trail, row, "removeLocalServer");
}

function audit(trail: WriteTrail, { id, slug, name }: McpServerRow, operation: string): void {
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
