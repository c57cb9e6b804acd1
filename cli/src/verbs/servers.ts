import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { type Call, JSON_BODY, LIMIT, type Noun, type Options, SEARCH, verb, YES } from "../verb.ts";
import { countTools, firstSync } from "./first-sync.ts";
import { limitTools } from "./limit-tools.ts";
import { approveOAuth, discoverOAuth, keepOAuth } from "./oauth-settings.ts";
import { acceptTools, changes, rejectTools } from "./tool-changes.ts";

const NO_SERVERS =
  "No servers yet. Create one: gatehouse servers create <name> --upstream <url>\nOr choose a connector: gatehouse connectors list";

/** Longer than the service waits for the upstream. */
const SYNC_SECONDS = 60;

const FIELDS = {
  upstream: { type: "text", hint: "url", description: "URL of the MCP server" },
  transport: { type: "choice", choices: ["http", "sse", "both"], description: "transport (default: both)" },
  description: { type: "text", hint: "text", description: "description for users" },
  status: { type: "choice", choices: ["active", "draft"], description: "draft servers are hidden from users" },
  slug: { type: "text", hint: "slug", description: "prefix of its tools" },
  auth: {
    type: "choice",
    choices: ["none", "proxy-oauth", "proxy-api-key", "exchanged-token"],
    description: "authentication: none, OAuth per user, API key per user, or the token that the user exchanged",
  },
  "client-id": { type: "text", hint: "id", description: "OAuth: client ID" },
  "client-secret-file": { type: "text", hint: "file", description: "OAuth: file with the client secret; - for stdin" },
  "auth-url": { type: "text", hint: "url", description: "OAuth: authorization URL" },
  "token-url": { type: "text", hint: "url", description: "OAuth: token URL" },
  issuer: { type: "text", hint: "url", description: "OAuth: issuer; with exchanged-token: the trusted issuer" },
  scope: { type: "text", hint: "scopes", description: "OAuth: scopes, separated by spaces" },
  json: JSON_BODY,
} as const satisfies Options;

type Given = Pick<Call<never, typeof FIELDS>, "options" | "readText">;
type Body = Partial<Schemas["CreateMcpServer"]>;

async function bodyOf({ options, readText }: Given): Promise<Body> {
  const { upstream, transport, description, status, slug } = options;
  if (transport !== undefined && upstream === undefined) throw badUsage("--transport requires --upstream");
  const more = await jsonBody<Body>({ readText }, options.json);
  // Spec 2.2: a string that holds JSON.
  const mcp_proxy =
    upstream === undefined ? undefined : JSON.stringify({ ...given({ type: transport }), url: upstream });
  const auth = await authSettings({ options, readText });
  const auth_settings = Object.keys(auth).length === 0 ? undefined : { ...more.auth_settings, ...auth };
  return { ...more, ...given({ slug, mcp_proxy, description, status, auth_settings }) };
}

async function authSettings({ options, readText }: Given): Promise<Schemas["AuthSettings"]> {
  const secretFile = options["client-secret-file"];
  return given({
    authType: options.auth,
    clientId: options["client-id"],
    clientSecret: secretFile === undefined ? undefined : (await readText(secretFile)).trim(),
    authUrl: options["auth-url"],
    tokenUrl: options["token-url"],
    issuer: options.issuer,
    client: options.scope === undefined ? undefined : { scope: options.scope },
  });
}

const list = verb({
  description: "List MCP servers",
  options: {
    status: { type: "choice", choices: ["active", "draft"], description: "filter by status" },
    search: SEARCH,
    group: { type: "text", hint: "name", description: "filter by group" },
    limit: LIMIT,
  },
  example: "gatehouse servers list --status active",
  async run({ api, options: { status, search, group, limit }, out }) {
    const client = api();
    const rows = await readPages<Schemas["McpServerSelection"], number>(limit, async (most, cursor) => {
      const query = { status, search, limit: most, cursor };
      const { data, pagination } = await client.listMcpServers({ query, headers: { "x-service-group": group } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Schemas["McpServerSelection"]> = {
      SLUG: (server) => server.slug,
      NAME: (server) => server.name,
      STATUS: (server) => server.status,
      AUTH: (server) => server.auth_type,
      TOOLS: (server) => server.tools_count,
      UPSTREAM: (server) => server.connection?.url,
    };
    const isFiltered = status !== undefined || search !== undefined || group !== undefined;
    out.list(rows, columns, isFiltered ? "No servers match." : NO_SERVERS);
  },
});

const get = verb({
  description: "Show an MCP server and its settings",
  args: ["slug"],
  example: "gatehouse servers get echo",
  async run({ api, args, out }) {
    const { data } = await api().getMcpServer({ path: args });
    out.record(data, ["tools", "all_tools"]);
  },
});

const tools = verb({
  description: "List the tools of an MCP server, including disabled tools",
  args: ["slug"],
  example: "gatehouse servers tools echo",
  async run({ api, args, out }) {
    const { data } = await api().getMcpServer({ path: args });
    showTools(out, { slug: data.slug, tools: data.all_tools });
  },
});

const tool = verb({
  description: "Show one tool with its schemas",
  args: ["slug", "tool"],
  example: "gatehouse servers tool echo add -o json",
  async run({ api, args, out }) {
    const { data } = await api().getToolDefinition({ path: { slug: args.slug }, query: { tool: args.tool } });
    out.record(data);
  },
});

function showTools(out: Output, { slug, tools: rows }: Pick<Schemas["McpServerTools"], "slug" | "tools">): void {
  const columns: Columns<Schemas["McpServerTools"]["tools"][number]> = {
    TOOL: (tool) => tool.slug,
    ENABLED: (tool) => tool.enabled,
    "GATEWAY NAME": (tool) => `${slug}__${tool.slug}`,
    DESCRIPTION: (tool) => tool.description,
  };
  out.list(rows, columns, `No tools. Sync them: gatehouse servers sync ${slug}`);
}

const enableTools = verb({
  description: "Enable tools of an MCP server",
  args: ["slug"],
  rest: "tool",
  example: "gatehouse servers enable-tools echo add",
  async run({ api, args, rest, out }) {
    const { data } = await api().updateMcpServerTools({ query: args, body: { enable: rest } });
    showTools(out, data);
  },
});

const disableTools = verb({
  description: "Disable tools of an MCP server; clients cannot list or call them",
  args: ["slug"],
  rest: "tool",
  example: "gatehouse servers disable-tools echo add",
  async run({ api, args, rest, out }) {
    const { data } = await api().updateMcpServerTools({ query: args, body: { disable: rest } });
    showTools(out, data);
  },
});

const TOOL_POLICY = {
  type: "choice",
  choices: ["allow", "warn", "hold"],
  description: "when tools change: allow, allow and flag (warn), or hold for review",
} as const;

const INSTRUCTIONS = {
  type: "choice",
  choices: ["on", "off"],
  description: "whether callers receive the instructions that the server sends",
} as const;

const RESULT_LIMIT = {
  type: "text",
  hint: "bytes|none",
  description: "cut longer texts of tool results, and link to the complete text",
} as const;

/** The fields that `create` and `update` share with no other verb. */
function ownFields(options: {
  readonly "tool-policy": "allow" | "warn" | "hold" | undefined;
  readonly instructions: "on" | "off" | undefined;
  readonly "result-limit": string | undefined;
}) {
  const { instructions, "result-limit": limit } = options;
  return given({
    tool_policy: options["tool-policy"],
    pass_instructions: instructions === undefined ? undefined : instructions === "on",
    ...(limit !== undefined && { result_limit_bytes: readResultLimit(limit) }),
  });
}

function readResultLimit(limit: string): number | null {
  if (limit === "none") return null;
  if (!/^\d+$/.test(limit)) throw badUsage(`--result-limit must be a number of bytes or none, not "${limit}"`);
  return Number(limit);
}

const create = verb({
  description: "Create an MCP server, sync its tools, and report the result",
  args: ["name"],
  options: {
    connector: { type: "text", hint: "id", description: "connector of the catalog; other options take precedence" },
    "tool-policy": TOOL_POLICY,
    instructions: INSTRUCTIONS,
    "result-limit": RESULT_LIMIT,
    ...FIELDS,
    "no-sync": { type: "flag", description: "do not wait for the first sync" },
  },
  example: "gatehouse servers create Echo --upstream http://127.0.0.1:8090/mcp",
  timeoutSeconds: SYNC_SECONDS,
  async run({ api, args, options, readText, out, url }) {
    const fields = {
      ...(await bodyOf({ options, readText })),
      ...given({ connector_id: options.connector }),
      ...ownFields(options),
    };
    const body = { ...fields, name: args.name };
    const client = api();
    const { data } = await client.createMcpServer({ query: { return: "full" }, body });
    out.say(`Created server \`${data.slug}\`.`);
    if (options["no-sync"] || !("auth_settings" in data)) return out.record({ slug: data.slug });
    out.record(await firstSync(client, data, { out, url }), ["tools_count", "sync_error"]);
  },
});

const update = verb({
  description: "Change an MCP server; omitted options stay unchanged",
  args: ["slug"],
  options: {
    name: { type: "text", hint: "name", description: "new name" },
    "tool-policy": TOOL_POLICY,
    instructions: INSTRUCTIONS,
    "result-limit": RESULT_LIMIT,
    ...FIELDS,
  },
  example: "gatehouse servers update echo --status draft",
  async run({ api, args, options, readText, out }) {
    const own = { ...given({ name: options.name }), ...ownFields(options) };
    const body = { ...(await bodyOf({ options, readText })), ...own };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    const { data } = await api().updateMcpServer({ query: args, body });
    out.say(`Updated server \`${data.slug}\`.`);
    out.record(data);
  },
});

const remove = verb({
  description: "Delete an MCP server and its connections",
  args: ["slug"],
  options: { yes: YES },
  example: "gatehouse servers delete echo --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete server ${args.slug} and the connections of its users?`);
    await client.deleteMcpServer({ query: args });
    out.say(`Deleted server \`${args.slug}\`.`);
  },
});

const sync = verb({
  description: "Sync the tools of an MCP server; exits with 1 if it fails",
  args: ["slug"],
  example: "gatehouse servers sync echo",
  timeoutSeconds: SYNC_SECONDS,
  async run({ api, args, out }) {
    const { data } = await api().syncMcpServer({ path: args });
    out.record(data, ["sync_error"]);
    if (data.sync_error !== null) throw new Failure(EXIT.failed, `Sync failed. ${data.sync_error}`);
    out.say(`Synced ${countTools(data.tools_count)}.`);
  },
});

const test = verb({
  description: "Test the connection to an MCP server; exits with 1 if it fails",
  args: ["slug"],
  options: {
    "key-file": { type: "text", hint: "file", description: "file with an API key to test; - for stdin" },
    json: JSON_BODY,
  },
  example: "gatehouse servers test echo",
  timeoutSeconds: SYNC_SECONDS,
  async run({ api, args, options, readText, out }) {
    const keyFile = options["key-file"];
    const key = keyFile === undefined ? {} : { key: (await readText(keyFile)).trim() };
    const body = { ...(await jsonBody<Schemas["TestMcpServer"]>({ readText }, options.json)), ...key };
    const { data } = await api().testMcpServer({ path: args, body });
    out.record(data, ["message"]);
    if (!data.ok) throw new Failure(EXIT.failed, `Connection failed. ${data.message ?? ""}`);
    out.say(`The connection works. Listed ${countTools(data.tools_count ?? 0)}.`);
  },
});

export const servers: Noun = {
  description: "MCP servers and their tools",
  verbs: {
    list,
    get,
    create,
    update,
    delete: remove,
    sync,
    test,
    tools,
    tool,
    "enable-tools": enableTools,
    "limit-tools": limitTools,
    "disable-tools": disableTools,
    changes,
    "accept-tools": acceptTools,
    "reject-tools": rejectTools,
    "discover-oauth": discoverOAuth,
    "approve-oauth": approveOAuth,
    "keep-oauth": keepOAuth,
  },
  example: "gatehouse servers list",
};
