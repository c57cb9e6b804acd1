import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { choice, flag, requiredText, text } from "#api/kit/body-fields";
import { serverLogoUrl } from "#api/presenters/logo-url";
import { ServerLimits, ServerLimitsBody } from "#api/presenters/server-limits";
import { toolTokens } from "#api/presenters/tool-tokens";
import type { ToolTokens } from "#gateway/snapshot/tool-tokens";
import { isSlug, SLUG_MAX_LENGTH, SLUG_MESSAGE, SLUG_PATTERN } from "#lib/slug";
import type { RecentCalls as RecentCallsOfServer } from "#records/calls";
import { MOST_COUNTED_USERS } from "#records/groups";
import { hasPendingOAuthChange, needsSetup } from "#records/mcp-servers";
import type { ListedTool } from "#records/server-tools";
import { AUTH_TYPES, type McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";
import { AuthSettings, AuthSettingsBody } from "./auth-settings.ts";
import { HEALTH_DESCRIPTION, Health, presentHealth } from "./health.ts";
import { OAuthChangeAnswer, PinnedOAuth, presentChange, presentPinned } from "./oauth-settings.ts";
import { presentSettings } from "./present-settings.ts";
import { presentRecent, RECENT_DESCRIPTION, RecentCalls } from "./recent-calls.ts";
import { AnyTool, isHeld, presentAnyTool, presentTool, Tool } from "./tool-schema.ts";
import { refuseBothUpstreams, refuseHeadersTwice, upstreamField, upstreamObjectField } from "./upstream-field.ts";

const TOOL_POLICIES = ["allow", "warn", "hold"] as const;
const POLICY_DESCRIPTION =
  "What happens when the server changes its instructions, or changes or adds tools, prompts, or resource templates: `allow` accepts them, `warn` allows and flags them for review, `hold` hides them from callers until an admin accepts them. `hold` applies to resources too";
const RESULT_LIMIT_DESCRIPTION =
  "Longer texts of tool results are cut at this number of bytes and end with a link to the complete text; null: never";
const RESULT_LIMIT_ERROR = "must be an integer from 1024 to 16777216, or null";
const resultLimit = z
  .int({ error: RESULT_LIMIT_ERROR })
  .min(1_024, { error: RESULT_LIMIT_ERROR })
  .max(16 * 1024 * 1024, { error: RESULT_LIMIT_ERROR })
  .nullish()
  .describe(RESULT_LIMIT_DESCRIPTION);
const INSTRUCTIONS_DESCRIPTION =
  "Whether callers receive the text for models that the server sends (`instructions`). It is reviewed like tool definitions (`tool_policy`)";
const Connection = z.object({
  url: z.string().meta({ description: "URL of the upstream", format: "uri", example: "https://mcp.example.com/mcp" }),
  transport: z
    .enum(["http", "sse", "both", "stdio"])
    .describe(
      "Transport: `http` is streamable HTTP, `sse` is HTTP+SSE (2024-11-05), `both` tries `http`, then `sse`, `stdio` is a local process",
    ),
});
const status = z.enum(["active", "draft"]).describe("A `draft` is visible only to groups with `show_draft_mcps`");
const authType = z
  .enum(AUTH_TYPES)
  .describe(
    "Authentication at the upstream: `none`, OAuth per user (`proxy-oauth`), an API key per user (`proxy-api-key`), or the token that the user exchanged (`exchanged-token`)",
  );

/** Spec 2.1. */
export const McpServer = z
  .object({
    slug: z.string().meta({ description: "Unique identifier and prefix of its tool names", example: "github" }),
    name: z.string().meta({ description: "Display name", example: "GitHub" }),
    description: z.string().meta({ description: "Description; may be empty", example: "Issues and pull requests" }),
    status,
    logo_url: z.string().meta({
      description: "Logo, served by Gatehouse",
      format: "uri",
      example: "https://gatehouse.example.com/logos/letters/g.svg",
    }),
    auth_type: authType,
    tools_count: z.int().meta({ description: "Number of enabled tools", example: 24 }),
    is_local_mcp: z.boolean().meta({ description: "Whether the server is a local process", example: false }),
    connection: Connection.nullable().describe("The upstream; null if none is set"),
    tools: z.array(Tool).optional().describe("Enabled tools; only if requested"),
  })
  .meta({ id: "McpServer", description: "An MCP server" });

const CONNECTIONS_DESCRIPTION = "Connections of users, for servers with per-user authentication";
const Connections = z.object({
  connected: z.int().describe("Number of connected users"),
  reconnect_needed: z.int().describe("Number of users who must reconnect"),
});
/** In the detail of a server, and in the list with `include_details`. */
const State = {
  needs_setup: z.boolean().describe("Whether setup is incomplete: no upstream, or no OAuth client ID"),
  tools_changed_count: z
    .int()
    .describe("Number of new and changed tools, prompts, resources, resource templates, and instructions to review"),
  tools_synced_at: timestamp("Time of the last successful sync; null if never synced").nullable(),
  sync_error: z.string().nullable().describe("Why the last sync failed; null if it succeeded"),
  groups: z
    .array(z.string())
    .meta({ description: "Groups that contain the server, oldest first", example: ["Engineering"] }),
  connections: Connections.describe(CONNECTIONS_DESCRIPTION),
  users_count: z
    .int()
    .describe(
      `Number of users with access through groups. Counting stops at ${MOST_COUNTED_USERS}; a larger value means more`,
    ),
  recent_calls: RecentCalls.nullable().describe(RECENT_DESCRIPTION),
  health: Health.describe(HEALTH_DESCRIPTION),
  has_shared_credential: z
    .boolean()
    .describe("Whether the gateway sends shared headers (`auth_settings.sharedHeaders`)"),
  oauth_change_pending: z
    .boolean()
    .describe("Whether the server names other OAuth settings than before, which an admin must approve"),
};

/** With `fields`, an entry contains only the requested fields, at every depth. */
export const McpServerSelection = McpServer.extend({
  connection: Connection.partial().nullable().describe("The upstream; null if none is set"),
  tools: z.array(Tool.partial()).describe("Enabled tools; only if requested"),
  ...State,
  connections: Connections.partial().describe(CONNECTIONS_DESCRIPTION),
  recent_calls: RecentCalls.partial().nullable().describe(RECENT_DESCRIPTION),
  health: Health.partial().describe(HEALTH_DESCRIPTION),
})
  .partial()
  .meta({ id: "McpServerSelection", description: "An MCP server; with `fields`, only the named fields" });

/** D6, D21. */
export const McpServerDetail = McpServer.extend({
  id: recordId("srv"),
  connector_id: z
    .string()
    .nullable()
    .meta({ description: "Connector that the server was created from; null if none", example: "github" }),
  auth_settings: AuthSettings.describe("How users authenticate at the upstream, without secrets"),
  oauth: PinnedOAuth.nullable().describe(
    "Discovered OAuth settings that people connect with; null if none were discovered. They change only if an admin approves it",
  ),
  oauth_change: OAuthChangeAnswer.nullable().describe(
    "OAuth settings that the server names instead; null if none. They are not used until an admin approves them",
  ),
  limits: ServerLimits,
  tools: z.array(Tool).describe("Tools available to callers"),
  ...toolTokens("these tools", "tools", "create_issue"),
  tool_policy: z.enum(TOOL_POLICIES).describe(POLICY_DESCRIPTION),
  pass_instructions: z.boolean().describe(INSTRUCTIONS_DESCRIPTION),
  result_limit_bytes: z.int().nullable().meta({ description: RESULT_LIMIT_DESCRIPTION, example: null }),
  instructions: z
    .string()
    .describe("The text for models that the server sent at the last sync, as callers receive it; empty if none"),
  tools_held_count: z
    .int()
    .describe("Number of tools, prompts, resources, resource templates, and instructions held for review"),
  all_tools: z.array(AnyTool).describe("All tools, including disabled ones"),
  ...State,
  sync_user_email: z
    .string()
    .nullable()
    .meta({ description: "User whose connection is used to sync the tools; null if none is set", example: null }),
  created_at: createdAt,
  updated_at: updatedAt,
}).meta({ id: "McpServerDetail", description: "An MCP server with its settings and tools" });

export const SlugAnswer = z.object({
  data: z.object({ slug: z.string().meta({ description: "Current slug of the server", example: "github" }) }),
});

/** Decision 0052. The first variant is strict, because it would otherwise match and strip a full record. */
export const CreatedServerAnswer = z.object({
  data: z.union([z.strictObject(SlugAnswer.shape.data.shape), McpServerDetail]).meta({
    description: "The slug, or the full server with `return=full`",
  }),
});

const slug = text()
  .refine(isSlug, { error: SLUG_MESSAGE })
  .refine((value) => value.length <= SLUG_MAX_LENGTH, { error: `must be at most ${SLUG_MAX_LENGTH} characters` })
  .meta({ maxLength: SLUG_MAX_LENGTH, pattern: SLUG_PATTERN });
const nameDescription = "Display name";
const slugDescription = "Prefix of its tool names at the gateway. If it is taken, a number is appended";
const upstreamDescription = "Upstream as JSON text of an object with `type` (`http`, `sse`, or `both`) and `url`";

const upstreamObjectDescription = "Upstream as an object. Alternative to `mcp_proxy`; set only one of the two";

const EXAMPLE = {
  name: "GitHub",
  mcp_proxy: '{"type": "http", "url": "https://mcp.example.com/mcp"}',
  description: "Issues and pull requests",
  auth_settings: { authType: "proxy-oauth", client: { scope: "repo read:user" } },
};

/** Spec 2.2, in the order in which fields are checked. Fields that the spec does not define follow. */
export const CreateMcpServerBody = z
  .object({
    name: requiredText("name").describe(nameDescription),
    slug: slug.optional().describe(`${slugDescription}. Derived from the name if omitted`),
    mcp_proxy: upstreamField.optional().describe(upstreamDescription),
    description: text().optional().describe("Description"),
    status: choice(["active", "draft"])
      .optional()
      .describe(
        "A `draft` is visible only to groups with `show_draft_mcps`. Default: `active` with an upstream, else `draft`",
      ),
    auth_settings: AuthSettingsBody.optional().describe("How users authenticate at the upstream"),
    connector_id: text(255)
      .nullish()
      .describe(
        "Connector from the catalog that provides the URL, authentication, and description if they are omitted",
      ),
    upstream: upstreamObjectField.optional().describe(upstreamObjectDescription),
    tool_policy: choice(TOOL_POLICIES).optional().describe(`${POLICY_DESCRIPTION}. Default: \`warn\``),
    pass_instructions: flag().optional().describe(`${INSTRUCTIONS_DESCRIPTION}. Default: true`),
    result_limit_bytes: resultLimit,
  })
  .superRefine(refuseBothUpstreams)
  .superRefine(refuseHeadersTwice)
  .meta({ id: "CreateMcpServer", description: "The server to create", example: EXAMPLE });

/** D11: `null` clears description, mcp_proxy, and upstream. It is not valid for name, slug, and status. */
export const UpdateMcpServerBody = z
  .object({
    name: requiredText("name").optional().describe(nameDescription),
    slug: slug.optional().describe(`${slugDescription}. Renames its tools at the gateway`),
    mcp_proxy: upstreamField.nullish().describe(`${upstreamDescription}; null removes it`),
    description: text().nullish().describe("Description; null clears it"),
    status: choice(["active", "draft"])
      .optional()
      .describe("A `draft` is visible only to groups with `show_draft_mcps`"),
    auth_settings: AuthSettingsBody.optional().describe("Merged key by key; null clears a key"),
    tool_policy: choice(TOOL_POLICIES).optional().describe(POLICY_DESCRIPTION),
    pass_instructions: flag().optional().describe(INSTRUCTIONS_DESCRIPTION),
    result_limit_bytes: resultLimit,
    sync_user_email: text(320)
      .nullish()
      .describe(
        "User whose connection is used to sync the tools periodically, for servers with per-user authentication; null for none",
      ),
    limits: ServerLimitsBody.nullish().describe(
      "Limits of this server, merged key by key; null clears one limit or all",
    ),
    upstream: upstreamObjectField.nullish().describe(`${upstreamObjectDescription}; null removes it`),
  })
  .superRefine(refuseBothUpstreams)
  .superRefine(refuseHeadersTwice)
  .meta({
    id: "UpdateMcpServer",
    description: "Fields to change. Omitted fields keep their values",
    example: { description: "Issues, pull requests and actions", status: "draft" },
  });

export function presentServer(row: McpServerRow, toolsCount: number, baseUrl: string): z.input<typeof McpServer> {
  return {
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    logo_url: serverLogoUrl(row, baseUrl),
    auth_type: row.auth_type,
    tools_count: toolsCount,
    is_local_mcp: row.is_local,
    connection:
      row.upstream_url === null
        ? null
        : { url: row.upstream_url, transport: row.is_local ? "stdio" : (row.upstream_transport ?? "both") },
  };
}

export interface ServerLinks {
  readonly now: number;
  readonly users: ReadonlyMap<string, number>;
  /** By slug. */
  readonly recentCalls: ReadonlyMap<string, RecentCallsOfServer>;
  readonly changed: ReadonlyMap<string, number>;
  /** Prompts, resources and templates held for review. */
  readonly heldItems: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly connections: ReadonlyMap<string, { readonly connected: number; readonly reconnect_needed: number }>;
}

export function presentState(row: McpServerRow, links: ServerLinks) {
  const { changed, groups, connections, users, recentCalls, now } = links;
  const recent = recentCalls.get(row.slug);
  return {
    needs_setup: needsSetup(row),
    tools_changed_count: changed.get(row.id) ?? 0,
    tools_synced_at: row.tools_synced_at === null ? null : isoTime(row.tools_synced_at),
    sync_error: row.sync_error,
    groups: [...(groups.get(row.id) ?? [])],
    connections: connections.get(row.id) ?? { connected: 0, reconnect_needed: 0 },
    users_count: users.get(row.id) ?? 0,
    recent_calls: recent ? presentRecent(recent) : null,
    health: presentHealth(row, recent, now),
    has_shared_credential: row.auth_settings.sharedHeaderNames !== undefined,
    oauth_change_pending: hasPendingOAuthChange(row),
  };
}

interface ServerContent {
  readonly tools: readonly ListedTool[];
  readonly tokens: ToolTokens;
  readonly instructions: string;
}

export function presentDetail(
  row: McpServerRow,
  links: ServerLinks,
  syncUser: Pick<UserRow, "email"> | undefined,
  { tools, tokens, instructions }: ServerContent,
  baseUrl: string,
): z.input<typeof McpServerDetail> {
  const available = tools.filter((tool) => tool.enabled && !tool.held);
  return {
    ...presentServer(row, available.length, baseUrl),
    id: row.id,
    connector_id: row.connector_id,
    ...presentState(row, links),
    auth_settings: presentSettings(row),
    oauth: presentPinned(row.discovered_oauth),
    oauth_change: presentChange(row.oauth_change),
    limits: { ...row.limits },
    tools: available.map(presentTool),
    ...tokens,
    tool_policy: row.tool_policy,
    pass_instructions: row.pass_instructions !== false,
    result_limit_bytes: row.result_limit_bytes ?? null,
    instructions,
    tools_held_count: tools.filter(isHeld).length + (links.heldItems.get(row.id) ?? 0),
    all_tools: tools.map(presentAnyTool),
    sync_user_email: syncUser?.email ?? null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
