import { write } from "#api/http/operation";
import { slugFromName } from "#lib/slug";
import { autoAssignGroupIds, linkServers } from "#records/groups";
import { insertServer, serverSearchText } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/tables";
import { mergeAuthSettings } from "./auth-settings.ts";
import { CreateMcpServerBody, presentForAudit, SlugAnswer } from "./schema.ts";

const NO_AUTH = { auth_type: "none", auth_settings: {}, sealed_client_secret: null } as const;

/** Spec 4.1, D1, D2, D5, D15. */
export const createMcpServer = write({
  id: "createMcpServer",
  route: "POST /api/mcp-servers",
  tag: "MCP Servers",
  summary: "Create an MCP server",
  description:
    "The server is there for its groups at once, and its tools are read right after. Groups that take in new servers by themselves get it too.",
  scope: "admin:write",
  body: CreateMcpServerBody,
  answers: { 201: SlugAnswer },
  refusals: [400],
  onCrash: "Failed to create MCP server",
  async run({ tx, trail, body, world, afterCommit }) {
    const id = world.newId("srv");
    const now = world.clock.now();
    const row: McpServerRow = {
      id,
      slug: body.slug ?? slugFromName(body.name, "server"),
      name: body.name,
      description: body.description ?? "",
      search_text: serverSearchText(body.name, body.description ?? ""),
      status: body.status ?? (body.mcp_proxy ? "active" : "draft"),
      connector_id: null,
      upstream_url: body.mcp_proxy?.url ?? null,
      upstream_transport: body.mcp_proxy?.transport ?? null,
      ...mergeAuthSettings({ id, ...NO_AUTH }, body.auth_settings ?? {}, world.vault),
      is_local: false,
      eras: [],
      sync_tried_at: null,
      tools_synced_at: null,
      sync_error: null,
      created_at: now,
      updated_at: now,
    };
    const slug = await insertServer(tx, row);
    const groupIds = await autoAssignGroupIds(tx, "auto_assign_mcps");
    await linkServers(
      tx,
      groupIds.map((groupId) => ({ group_id: groupId, server_id: id })),
    );
    trail.changed("server", id);
    trail.changed("group", ...groupIds);
    trail.audit({
      operation: "createMcpServer",
      target: { kind: "mcp-server", id, name: slug },
      after: presentForAudit({ ...row, slug }),
    });
    if (row.upstream_url !== null) afterCommit(() => world.syncSoon(id));
    return { status: 201, body: { data: { slug } } };
  },
});
