import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { choice, requiredText, text } from "#api/kit/body-fields";
import { serverLogoUrl } from "#api/presenters/logo-url";
import { isSlug, SLUG_MAX_LENGTH, SLUG_MESSAGE, SLUG_PATTERN } from "#lib/slug";
import type { RecentCalls as RecentCallsOfServer } from "#records/calls";
import { MOST_COUNTED_USERS } from "#records/groups";
import { needsSetup } from "#records/mcp-servers";
import type { ListedTool } from "#records/server-tools";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";
import { AuthSettings, AuthSettingsBody } from "./auth-settings.ts";
import { ServerLimits, ServerLimitsBody } from "./limits.ts";
import { presentSwitchedTool, presentTool, SwitchedTool, Tool } from "./tool-schema.ts";
import { refuseBothUpstreams, refuseHeadersTwice, upstreamField, upstreamObjectField } from "./upstream-field.ts";

const TOOL_POLICIES = ["allow", "warn", "hold"] as const;
const POLICY_WORDS =
  "When the server changes its tools or brings new ones: `allow` takes them, `warn` takes and marks them, `hold` keeps them from callers until an admin accepts them";
const Connection = z.object({
  url: z
    .string()
    .meta({ description: "The upstream's address", format: "uri", example: "https://mcp.example.com/mcp" }),
  transport: z
    .enum(["http", "sse", "both", "stdio"])
    .describe(
      "How it is spoken to: `http` is streamable HTTP, `sse` the transport of 2024-11-05, `both` tries in order, `stdio` is a process beside the gateway",
    ),
});
const status = z.enum(["active", "draft"]).describe("A `draft` shows only to groups whose settings say so");
const authType = z
  .enum(["none", "proxy-oauth", "proxy-api-key"])
  .describe("What each user needs towards the upstream: nothing, an OAuth sign-in, or a key of their own");

/** Spec 2.1. */
export const McpServer = z
  .object({
    slug: z.string().meta({ description: "Unique; also the first part of its tools' names", example: "github" }),
    name: z.string().meta({ description: "What people call it", example: "GitHub" }),
    description: z.string().meta({ description: "What it is for; may be empty", example: "Issues and pull requests" }),
    status,
    logo_url: z.string().meta({
      description: "A logo, served by us",
      format: "uri",
      example: "https://gatehouse.example.com/logos/letters/g.svg",
    }),
    auth_type: authType,
    tools_count: z.int().meta({ description: "How many of its tools are enabled", example: 24 }),
    is_local_mcp: z.boolean().meta({ description: "Whether the operator runs it beside the gateway", example: false }),
    connection: Connection.nullable().describe("Where the upstream is; null until it has one"),
    tools: z.array(Tool).optional().describe("Its enabled tools; only when asked for"),
  })
  .meta({ id: "McpServer", description: "An MCP server" });

const CONNECTIONS_WORDS = "How users stand with it, where it asks something of them";
const Connections = z.object({
  connected: z.int().describe("How many users are connected to it"),
  reconnect_needed: z.int().describe("How many of its users must connect again"),
});
const RECENT_WORDS = "How its last calls went, 20 at most; null: it was never called";
const RecentCalls = z.object({
  last_at: timestamp("When the last of them came"),
  calls: z.int().describe("How many of them reached it"),
  failed: z.int().describe("How many of these it did not answer"),
  median_ms: z
    .number()
    .nullable()
    .describe("How long those that it answered took, in the middle; null: it answered none"),
});
/** What an admin looks at in a list, and again at one server. */
const Standing = {
  needs_setup: z.boolean().describe("Whether something is missing: an upstream, or a client id for its OAuth"),
  tools_changed_count: z.int().describe("How many tools wait to be accepted"),
  tools_synced_at: timestamp("When its tools were last read; null: never").nullable(),
  sync_error: z.string().nullable().describe("Why they could not be read the last time; null when they could"),
  groups: z.array(z.string()).meta({ description: "The groups that it is in, oldest first", example: ["Engineering"] }),
  connections: Connections.describe(CONNECTIONS_WORDS),
  users_count: z
    .int()
    .describe(
      `How many users its groups give it to; counted up to ${MOST_COUNTED_USERS}, and one more stands for all beyond`,
    ),
  recent_calls: RecentCalls.nullable().describe(RECENT_WORDS),
};

/** With `fields`, an entry holds only what was asked for, at every depth. */
export const McpServerSelection = McpServer.extend({
  connection: Connection.partial().nullable().describe("Where the upstream is; null until it has one"),
  tools: z.array(Tool.partial()).describe("Its enabled tools; only when asked for"),
  ...Standing,
  connections: Connections.partial().describe(CONNECTIONS_WORDS),
  recent_calls: RecentCalls.partial().nullable().describe(RECENT_WORDS),
})
  .partial()
  .meta({ id: "McpServerSelection", description: "An MCP server; with `fields`, only what that names" });

/** D6, D21: one server, with its settings but never its secret. */
export const McpServerDetail = McpServer.extend({
  id: recordId("srv"),
  connector_id: z
    .string()
    .nullable()
    .meta({ description: "The connector that it was made from; null: none", example: "github" }),
  auth_settings: AuthSettings.describe("How users authenticate towards the upstream; never a secret"),
  limits: ServerLimits,
  tools: z.array(Tool).describe("Its tools that callers see"),
  tool_policy: z.enum(TOOL_POLICIES).describe(POLICY_WORDS),
  tools_held_count: z.int().describe("How many of these are kept from callers meanwhile"),
  all_tools: z.array(SwitchedTool).describe("All its tools, also those that are switched off"),
  ...Standing,
  sync_user_email: z
    .string()
    .nullable()
    .meta({ description: "With whose connection its tools are read; null: nobody was chosen", example: null }),
  created_at: createdAt,
  updated_at: updatedAt,
}).meta({ id: "McpServerDetail", description: "An MCP server with its settings and tools" });

export const SlugAnswer = z.object({
  data: z.object({ slug: z.string().meta({ description: "The slug that the server has now", example: "github" }) }),
});

/** Decision 0052. The first variant is strict, or it would match a whole record and cut it. */
export const CreatedServerAnswer = z.object({
  data: z.union([z.strictObject(SlugAnswer.shape.data.shape), McpServerDetail]).meta({
    description: "The slug; with `return=full` the whole server",
  }),
});

const slug = text()
  .refine(isSlug, { error: SLUG_MESSAGE })
  .refine((value) => value.length <= SLUG_MAX_LENGTH, { error: `must be at most ${SLUG_MAX_LENGTH} characters` })
  .meta({ maxLength: SLUG_MAX_LENGTH, pattern: SLUG_PATTERN });
const nameWords = "What people call it";
const slugWords = "First part of its tools' names at the gateway; when it is taken, a number is appended";
const upstreamWords = "Its upstream: JSON text of an object with `type` (`http`, `sse` or `both`) and `url`";

const upstreamObjectWords = "Its upstream as an object, instead of the JSON text in `mcp_proxy`; give one of the two";

const EXAMPLE = {
  name: "GitHub",
  mcp_proxy: '{"type": "http", "url": "https://mcp.example.com/mcp"}',
  description: "Issues and pull requests",
  auth_settings: { authType: "proxy-oauth", client: { scope: "repo read:user" } },
};

/** Spec 2.2, in its order, which is the order of checks. Our own fields follow. */
export const CreateMcpServerBody = z
  .object({
    name: requiredText("name").describe(nameWords),
    slug: slug.optional().describe(`${slugWords}; left out, it is made from the name`),
    mcp_proxy: upstreamField.optional().describe(upstreamWords),
    description: text().optional().describe("What it is for"),
    status: choice(["active", "draft"])
      .optional()
      .describe(
        "A `draft` shows only to groups whose settings say so; left out: `active` with an upstream, else `draft`",
      ),
    auth_settings: AuthSettingsBody.optional().describe("How users authenticate towards the upstream"),
    connector_id: text(255)
      .nullish()
      .describe("A connector of the catalog: gives address, authentication and description where they are left out"),
    upstream: upstreamObjectField.optional().describe(upstreamObjectWords),
  })
  .superRefine(refuseBothUpstreams)
  .superRefine(refuseHeadersTwice)
  .meta({ id: "CreateMcpServer", description: "An MCP server to be made", example: EXAMPLE });

/** D11: `null` clears description, mcp_proxy and upstream; it is no name, slug or status. */
export const UpdateMcpServerBody = z
  .object({
    name: requiredText("name").optional().describe(nameWords),
    slug: slug.optional().describe(`${slugWords}; the names of its tools follow`),
    mcp_proxy: upstreamField.nullish().describe(`${upstreamWords}; null removes it`),
    description: text().nullish().describe("What it is for; null empties it"),
    status: choice(["active", "draft"]).optional().describe("A `draft` shows only to groups whose settings say so"),
    auth_settings: AuthSettingsBody.optional().describe("Merged key by key; null clears a key"),
    tool_policy: choice(TOOL_POLICIES).optional().describe(POLICY_WORDS),
    sync_user_email: text(320)
      .nullish()
      .describe(
        "The user with whose connection its tools are read every now and then, where it asks for one; null: nobody",
      ),
    limits: ServerLimitsBody.nullish().describe(
      "How much it is asked at once and how long it is waited for; merged key by key, null clears a key or all",
    ),
    upstream: upstreamObjectField.nullish().describe(`${upstreamObjectWords}; null removes it`),
  })
  .superRefine(refuseBothUpstreams)
  .superRefine(refuseHeadersTwice)
  .meta({
    id: "UpdateMcpServer",
    description: "What to change; what is left out stays",
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

/** Everything that an admin set, for the answer of one server and for the audit row; a secret shows only as being there. */
export function presentSettings(row: McpServerRow): z.input<typeof McpServerDetail>["auth_settings"] {
  const { sharedHeaderNames, ...settings } = row.auth_settings;
  return {
    authType: row.auth_type,
    ...settings,
    ...(sharedHeaderNames ? { sharedHeaders: Object.fromEntries(sharedHeaderNames.map((name) => [name, null])) } : {}),
    hasClientSecret: row.sealed_client_secret !== null,
  };
}

export function presentForAudit(row: McpServerRow) {
  return {
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    connector_id: row.connector_id,
    url: row.upstream_url,
    transport: row.upstream_transport,
    auth_settings: presentSettings(row),
    tool_policy: row.tool_policy,
    ...(row.sync_user_id ? { sync_user_id: row.sync_user_id } : {}),
    ...(row.limits ? { limits: row.limits } : {}),
  };
}

export interface ServerLinks {
  readonly users: ReadonlyMap<string, number>;
  /** By slug. */
  readonly recentCalls: ReadonlyMap<string, RecentCallsOfServer>;
  readonly changed: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly connections: ReadonlyMap<string, { readonly connected: number; readonly reconnect_needed: number }>;
}

export function presentStanding(row: McpServerRow, { changed, groups, connections, users, recentCalls }: ServerLinks) {
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
  };
}

function presentRecent({ lastAt, calls, failed, medianUs }: RecentCallsOfServer) {
  return { last_at: isoTime(lastAt), calls, failed, median_ms: medianUs === undefined ? null : medianUs / 1_000 };
}

export function presentDetail(
  row: McpServerRow,
  links: ServerLinks,
  syncUser: Pick<UserRow, "email"> | undefined,
  tools: readonly ListedTool[],
  baseUrl: string,
): z.input<typeof McpServerDetail> {
  const seen = tools.filter((tool) => tool.enabled && !tool.held);
  return {
    ...presentServer(row, seen.length, baseUrl),
    id: row.id,
    connector_id: row.connector_id,
    ...presentStanding(row, links),
    auth_settings: presentSettings(row),
    limits: { ...row.limits },
    tools: seen.map(presentTool),
    tool_policy: row.tool_policy,
    tools_held_count: tools.filter((tool) => tool.held).length,
    all_tools: tools.map(presentSwitchedTool),
    sync_user_email: syncUser?.email ?? null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
