import { z } from "zod";
import { isoTime } from "#api/http/answers";
import { choice, requiredText, text } from "#api/http/body-fields";
import { isSlug, SLUG_MAX_LENGTH, SLUG_MESSAGE } from "#lib/slug";
import { needsSetup } from "#records/mcp-servers";
import type { ListedTool } from "#records/server-tools";
import type { McpServerRow } from "#storage/tables";
import { AuthSettingsBody } from "./auth-settings.ts";
import { upstreamField } from "./upstream-field.ts";

const Tool = z.object({ name: z.string(), slug: z.string(), description: z.string() });
/** D21: also those that an admin switched off. */
const SwitchedTool = Tool.extend({ enabled: z.boolean() });
const Connection = z.object({ url: z.string(), transport: z.enum(["http", "sse", "both"]) });

/** Spec 2.1. */
export const McpServer = z
  .object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    status: z.enum(["active", "draft"]),
    logo_url: z.string(),
    auth_type: z.enum(["none", "proxy-oauth", "proxy-api-key"]),
    tools_count: z.int(),
    is_local_mcp: z.boolean(),
    connection: Connection.nullable(),
    tools: z.array(Tool).optional(),
  })
  .meta({ id: "McpServer" });

/** With `fields`, an entry holds only what was asked for, at every depth. */
export const McpServerSelection = McpServer.extend({
  connection: Connection.partial().nullable(),
  tools: z.array(Tool.partial()),
})
  .partial()
  .meta({ id: "McpServerSelection" });

/** D6, D21: one server, with its settings but never its secret. */
export const McpServerDetail = McpServer.extend({
  id: z.string(),
  needs_setup: z.boolean(),
  auth_settings: z.object({
    authType: z.enum(["none", "proxy-oauth", "proxy-api-key"]),
    clientId: z.string().optional(),
    authUrl: z.string().optional(),
    tokenUrl: z.string().optional(),
    registrationUrl: z.string().optional(),
    issuer: z.string().optional(),
    resource: z.string().optional(),
    headerName: z.string().optional(),
    headerPrefix: z.string().optional(),
    client: z.object({ scope: z.string().optional() }).optional(),
    howtoMarkdown: z.string().optional(),
    hasClientSecret: z.boolean(),
  }),
  tools: z.array(Tool),
  all_tools: z.array(SwitchedTool),
  tools_synced_at: z.string().nullable(),
  sync_error: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({ id: "McpServerDetail" });

export const SwitchedTools = z
  .object({ slug: z.string(), tools_count: z.int(), tools: z.array(SwitchedTool) })
  .meta({ id: "SwitchedTools" });

export const SlugAnswer = z.object({ data: z.object({ slug: z.string() }) });

const slug = text()
  .refine(isSlug, { error: SLUG_MESSAGE })
  .refine((value) => value.length <= SLUG_MAX_LENGTH, { error: `must be at most ${SLUG_MAX_LENGTH} characters` });

/** Spec 2.2, in its order, which is the order of checks. */
export const CreateMcpServerBody = z
  .object({
    name: requiredText("name"),
    slug: slug.optional(),
    mcp_proxy: upstreamField.optional(),
    description: text().optional(),
    status: choice(["active", "draft"]).optional(),
    auth_settings: AuthSettingsBody.optional(),
  })
  .meta({ id: "CreateMcpServer" });

/** D11: `null` clears description and mcp_proxy; it is no name, slug or status. */
export const UpdateMcpServerBody = z
  .object({
    name: requiredText("name").optional(),
    slug: slug.optional(),
    mcp_proxy: upstreamField.nullish(),
    description: text().nullish(),
    status: choice(["active", "draft"]).optional(),
    auth_settings: AuthSettingsBody.optional(),
  })
  .meta({ id: "UpdateMcpServer" });

export function presentServer(row: McpServerRow, toolsCount: number, baseUrl: string): z.input<typeof McpServer> {
  return {
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    logo_url: letterLogoUrl(row.name, baseUrl),
    auth_type: row.auth_type,
    tools_count: toolsCount,
    is_local_mcp: row.is_local,
    connection:
      row.upstream_url === null ? null : { url: row.upstream_url, transport: row.upstream_transport ?? "both" },
  };
}

/** D29: always an address of ours that answers. */
function letterLogoUrl(name: string, baseUrl: string): string {
  const letter = /[A-Za-z0-9]/.exec(name.normalize("NFKD"))?.[0]?.toLowerCase() ?? "mcp";
  return `${baseUrl}/logos/letters/${letter}.svg`;
}

/** Everything that an admin set, for the answer of one server and for the audit row; a secret shows only as being there. */
export function presentSettings(row: McpServerRow): z.input<typeof McpServerDetail>["auth_settings"] {
  return {
    authType: row.auth_type,
    ...row.auth_settings,
    hasClientSecret: row.sealed_client_secret !== null,
  };
}

export function presentForAudit(row: McpServerRow) {
  return {
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    url: row.upstream_url,
    transport: row.upstream_transport,
    auth_settings: presentSettings(row),
  };
}

export function presentDetail(
  row: McpServerRow,
  tools: readonly ListedTool[],
  baseUrl: string,
): z.input<typeof McpServerDetail> {
  const enabled = tools.filter((tool) => tool.enabled);
  return {
    ...presentServer(row, enabled.length, baseUrl),
    id: row.id,
    needs_setup: needsSetup(row),
    auth_settings: presentSettings(row),
    tools: enabled.map(presentTool),
    all_tools: tools.map(presentSwitchedTool),
    tools_synced_at: row.tools_synced_at === null ? null : isoTime(row.tools_synced_at),
    sync_error: row.sync_error,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** D30: `slug` is the part after `__` at the gateway. */
export function presentTool(tool: { title: string; slug: string; description: string }) {
  return { name: tool.title, slug: tool.slug, description: tool.description };
}

export function presentSwitchedTool(tool: ListedTool) {
  return { ...presentTool(tool), enabled: tool.enabled };
}
