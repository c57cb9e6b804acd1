import type { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { write } from "#api/kit/operation";
import { returnParameter } from "#api/kit/parameters";
import { NO_TOKENS } from "#gateway/snapshot/tool-tokens";
import { invalid } from "#lib/errors";
import { slugFromName } from "#lib/slug";
import { type ConnectorTemplate, findTemplate } from "#records/connectors";
import { joinAutoAssignGroups } from "#records/groups";
import { insertServer, serverSearchText } from "#records/mcp-servers";
import type { MainTransaction } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import { type AuthState, checkExchangedToken, mergeAuthSettings, withSharedHeaders } from "./auth-settings.ts";
import { presentForAudit } from "./present-settings.ts";
import { CreatedServerAnswer, CreateMcpServerBody, presentDetail } from "./schema.ts";
import { linksOfNew } from "./server-links.ts";
import { givenHeaders, givenUpstream } from "./upstream-field.ts";

type Body = z.output<typeof CreateMcpServerBody>;

/** Spec 4.1, D1, D2, D5, D15, D31. */
export const createMcpServer = write({
  id: "createMcpServer",
  route: "POST /api/mcp-servers",
  tag: "MCP Servers",
  summary: "Create an MCP server",
  description:
    "The server is available to its groups immediately, and its tools are synced in the background. Groups that auto-assign new servers include it.",
  scope: "admin:write",
  query: { return: returnParameter },
  body: CreateMcpServerBody,
  answers: { 201: CreatedServerAnswer },
  refusals: [400],
  onCrash: "Failed to create MCP server",
  async run({ tx, trail, query, body, context, afterCommit }) {
    const id = context.newId("srv");
    const now = context.clock.now();
    const template = await templateOf(tx, body, context);
    const description = body.description ?? template?.description ?? "";
    const upstream = givenUpstream(body) ?? template?.upstream;
    const authenticated = mergeAuthSettings(
      { id, ...authBefore(body, template) },
      body.auth_settings ?? {},
      context.vault,
    );
    const settings: McpServerRow = {
      id,
      slug: body.slug ?? slugFromName(body.name, "server"),
      name: body.name,
      description,
      search_text: serverSearchText(body.name, description),
      status: body.status ?? (upstream ? "active" : "draft"),
      connector_id: body.connector_id ?? null,
      upstream_url: upstream?.url ?? null,
      upstream_transport: upstream?.transport ?? null,
      ...authenticated,
      is_local: false,
      eras: [],
      sync_tried_at: null,
      tools_synced_at: null,
      sync_error: null,
      tool_policy: body.tool_policy ?? "warn",
      pass_instructions: body.pass_instructions ?? true,
      result_limit_bytes: body.result_limit_bytes ?? null,
      created_at: now,
      updated_at: now,
    };
    const row = withSharedHeaders(settings, { patch: givenHeaders(body), dropsStored: false }, context.vault);
    await checkExchangedToken(tx, row);
    const slug = await insertServer(tx, trail, row);
    await joinAutoAssignGroups(tx, trail, "auto_assign_mcps", id);
    trail.audit({
      operation: "createMcpServer",
      target: { kind: "mcp-server", id, name: slug },
      after: presentForAudit({ ...row, slug }),
    });
    if (row.upstream_url !== null) afterCommit(() => context.syncSoon(id));
    const data = query.return === "full" ? await presentNew(tx, { ...row, slug }, context) : { slug };
    return { status: 201, body: { data } };
  },
});

/** As `getMcpServer` presents it right after; no tools are synced yet. */
async function presentNew(tx: MainTransaction, row: McpServerRow, { databases, baseUrl }: ApiContext) {
  return presentDetail(
    row,
    await linksOfNew(tx, databases, row),
    undefined,
    { tools: [], tokens: NO_TOKENS, instructions: "" },
    baseUrl,
  );
}

async function templateOf(
  tx: MainTransaction,
  body: Body,
  context: ApiContext,
): Promise<ConnectorTemplate | undefined> {
  if (body.connector_id === undefined || body.connector_id === null) return undefined;
  const template = await findTemplate(tx, context.connectors, body.connector_id);
  if (!template) throw invalid("connector_id", "connector not found");
  return template;
}

/** The connector's authentication settings, which the body extends. Its key header applies only to API keys. */
function authBefore({ auth_settings: given }: Body, template: ConnectorTemplate | undefined): AuthState {
  const authType = given?.authType === undefined ? (template?.authType ?? "none") : (given.authType ?? "none");
  return {
    auth_type: authType,
    auth_settings: authType === "proxy-api-key" ? { ...template?.keyHeader } : {},
    sealed_client_secret: null,
  };
}
