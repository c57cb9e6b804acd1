import { z } from "zod";
import { requiredText } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { knownGroupIds } from "#api/presenters/group-ids";
import { notFound, Refusal } from "#lib/errors";
import { slugFromName } from "#lib/slug";
import { isWebUrl } from "#lib/web-url";
import { REDACTED } from "#policy/redact";
import { lockItem, requestEvaluation, updateItem } from "#records/discovery";
import { serverLinks } from "#records/groups";
import { insertServer, serverSearchText } from "#records/mcp-servers";
import type { DiscoveryItemRow } from "#storage/discovery-tables";
import type { McpServerRow } from "#storage/server-tables";

const ImportBody = z
  .object({
    name: requiredText("name").optional().describe("The name of the new server. Default: the discovered name"),
    groups: z
      .array(requiredText("group"), { error: "must be an array" })
      .max(200, { error: "must contain at most 200 groups" })
      .optional()
      .describe("Names of the groups that get the server"),
  })
  .meta({
    id: "ImportDiscovered",
    description: "How to import it",
    example: { name: "Linear", groups: ["Engineering"] },
  });

/** Families 9. */
export const importDiscoveredMcpServer = write({
  id: "importDiscoveredMcpServer",
  route: "POST /api/ai-discovery/mcp-servers/{fingerprint}/import",
  tag: "AI Discovery",
  summary: "Import a discovered MCP server",
  description:
    "Creates a draft server with the discovered URL and approves the discovered one. Only remote servers can be imported, and none that the policy blocks.",
  scope: "admin:write",
  path: { fingerprint: pathParameter("The fingerprint of the discovered server") },
  body: ImportBody,
  bodyIsOptional: true,
  answers: {
    201: z.object({
      data: z.object({ slug: z.string().describe("Slug of the new server") }).describe("The new server"),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to import MCP server",
  async run({ tx, trail, path, body, context, actor, afterCommit }) {
    const item = await lockItem(tx, "mcp_server", path.fingerprint);
    if (!item) throw notFound.discoveredItem("MCP server");
    const url = importableUrl(item);
    const registered = (await context.discovery.known(tx, [item])).slugOf(item.endpoint_key);
    if (registered !== undefined) throw new Refusal("conflict", `already registered as ${registered}`);
    const groupIds = await knownGroupIds(tx, body.groups ?? []);
    const now = context.clock.now();
    const id = context.newId("srv");
    const row = draftServer(id, body.name ?? item.name, url, item.transport, now);
    const slug = await insertServer(tx, trail, row);
    const links = groupIds.map((groupId) => ({ groupId, memberId: id }));
    if (links.length > 0) await serverLinks.add(tx, trail, links);
    await updateItem(tx, item.id, { review_status: "approved", reviewed_by: actor.name, reviewed_at: now });
    await requestEvaluation(tx);
    trail.audit({
      operation: "importDiscoveredMcpServer",
      target: { kind: "mcp-server", id, name: slug },
      after: { name: row.name, status: "draft", url, fingerprint: item.key, groups: body.groups ?? [] },
    });
    afterCommit(() => context.syncSoon(id));
    return { status: 201, body: { data: { slug } } };
  },
  async finish(answer, { context }) {
    await context.discovery.settle();
    return answer;
  },
});

function importableUrl({ transport, facts, action, managed }: DiscoveryItemRow): string {
  const refused = (message: string) => new Refusal("unknown-reference", message);
  const { url } = facts;
  if (transport === "stdio" || typeof url !== "string") throw refused("Only remote MCP servers can be imported");
  if (managed) throw refused("This MCP server is this gateway");
  if (action === "block") throw refused("The AI discovery policy blocks this MCP server. Change the policy first");
  if (url.includes(REDACTED)) {
    throw refused("The URL of this MCP server contains a secret, which devices do not report. Add the server manually");
  }
  if (!isWebUrl(url)) throw refused("The URL of this MCP server is not an http or https URL");
  return url;
}

function draftServer(id: string, name: string, url: string, transport: string | null, now: number): McpServerRow {
  const description = "Found by AI discovery";
  return {
    ...{ id, slug: slugFromName(name, "server"), name, description, search_text: serverSearchText(name, description) },
    ...{ status: "draft", connector_id: null, upstream_url: url },
    upstream_transport: transport === "sse" ? "sse" : "both",
    ...{ auth_type: "none", auth_settings: {}, sealed_client_secret: null, is_local: false, eras: [] },
    ...{ sync_tried_at: null, tools_synced_at: null, sync_error: null, tool_policy: "warn", pass_instructions: true },
    ...{ result_limit_bytes: null, created_at: now, updated_at: now },
  };
}
