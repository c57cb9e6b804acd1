import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { type Call, JSON_BODY, LIMIT, type Noun, type Options, SEARCH, verb, YES } from "../verb.ts";
import { acceptTools, changes } from "./tool-changes.ts";

/** A sync may wait for the upstream as long as the service does, and a little longer. */
const SYNC_SECONDS = 60;

const FIELDS = {
  upstream: { type: "text", hint: "address", says: "where the MCP server listens" },
  transport: { type: "choice", choices: ["http", "sse", "both"], says: "how it speaks; both unless given" },
  description: { type: "text", hint: "text", says: "what it is for" },
  status: { type: "choice", choices: ["active", "draft"], says: "whether users see it" },
  slug: { type: "text", hint: "slug", says: "the first part of its tools' names" },
  auth: {
    type: "choice",
    choices: ["none", "proxy-oauth", "proxy-api-key"],
    says: "how users prove themselves to it",
  },
  "client-id": { type: "text", hint: "id", says: "proxy-oauth: our client id there" },
  "client-secret-file": { type: "text", hint: "file", says: "proxy-oauth: holds the client's secret; - for stdin" },
  "auth-url": { type: "text", hint: "address", says: "proxy-oauth: where users are sent" },
  "token-url": { type: "text", hint: "address", says: "proxy-oauth: where tokens are had" },
  scope: { type: "text", hint: "scopes", says: "proxy-oauth: what to ask for, by space" },
  json: JSON_BODY,
} as const satisfies Options;

type Given = Pick<Call<never, typeof FIELDS>, "options" | "readText">;
type Body = Partial<Schemas["CreateMcpServer"]>;

async function bodyOf({ options, readText }: Given): Promise<Body> {
  const { upstream, transport, description, status, slug } = options;
  if (transport !== undefined && upstream === undefined) throw badUsage("--transport needs --upstream beside it");
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
    client: options.scope === undefined ? undefined : { scope: options.scope },
  });
}

const list = verb({
  says: "List MCP servers",
  options: {
    status: { type: "choice", choices: ["active", "draft"], says: "only those of this status" },
    search: SEARCH,
    group: { type: "text", hint: "name", says: "only those that this group gives" },
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
    out.list(rows, columns, "servers");
  },
});

const get = verb({
  says: "Show one MCP server with its settings",
  args: ["slug"],
  example: "gatehouse servers get echo",
  async run({ api, args, out }) {
    const { data } = await api().getMcpServer({ path: args });
    out.record(data, ["tools", "all_tools"]);
  },
});

const tools = verb({
  says: "List the tools of one MCP server, also those that are switched off",
  args: ["slug"],
  example: "gatehouse servers tools echo",
  async run({ api, args, out }) {
    const { data } = await api().getMcpServer({ path: args });
    showTools(out, { slug: data.slug, tools: data.all_tools });
  },
});

function showTools(out: Output, { slug, tools: rows }: Pick<Schemas["McpServerTools"], "slug" | "tools">): void {
  const columns: Columns<Schemas["McpServerTools"]["tools"][number]> = {
    TOOL: (tool) => tool.slug,
    ENABLED: (tool) => tool.enabled,
    "AT THE GATEWAY": (tool) => `${slug}__${tool.slug}`,
    DESCRIPTION: (tool) => tool.description,
  };
  out.list(rows, columns, "tools");
}

const enableTools = verb({
  says: "Switch tools of an MCP server on",
  args: ["slug"],
  rest: "tool",
  example: "gatehouse servers enable-tools echo add",
  async run({ api, args, rest, out }) {
    const { data } = await api().updateMcpServerTools({ query: args, body: { enable: rest } });
    showTools(out, data);
  },
});

const disableTools = verb({
  says: "Switch tools of an MCP server off: nobody sees or calls them",
  args: ["slug"],
  rest: "tool",
  example: "gatehouse servers disable-tools echo add",
  async run({ api, args, rest, out }) {
    const { data } = await api().updateMcpServerTools({ query: args, body: { disable: rest } });
    showTools(out, data);
  },
});

const create = verb({
  says: "Add an MCP server",
  args: ["name"],
  options: {
    connector: { type: "text", hint: "id", says: "make it from this entry of the catalog; other options win" },
    ...FIELDS,
  },
  example: "gatehouse servers create Echo --upstream http://127.0.0.1:8090/mcp",
  async run({ api, args, options, readText, out }) {
    const fields = { ...(await bodyOf({ options, readText })), ...given({ connector_id: options.connector }) };
    const body = { ...fields, name: args.name };
    const { data } = await api().createMcpServer({ body });
    out.say(`The server ${data.slug} is there.`);
    out.record(data);
  },
});

const update = verb({
  says: "Change an MCP server; what is not given stays as it is",
  args: ["slug"],
  options: {
    name: { type: "text", hint: "name", says: "its new name" },
    "tool-policy": {
      type: "choice",
      choices: ["allow", "warn", "hold"],
      says: "what happens when its tools change: taken, taken and marked, or held until accepted",
    },
    ...FIELDS,
  },
  example: "gatehouse servers update echo --status draft",
  async run({ api, args, options, readText, out }) {
    const own = given({ name: options.name, tool_policy: options["tool-policy"] });
    const body = { ...(await bodyOf({ options, readText })), ...own };
    if (Object.keys(body).length === 0) throw badUsage("there is nothing to change");
    const { data } = await api().updateMcpServer({ query: args, body });
    out.say(`The server ${data.slug} is changed.`);
    out.record(data);
  },
});

const remove = verb({
  says: "Delete an MCP server and all that belongs to it",
  args: ["slug"],
  options: { yes: YES },
  example: "gatehouse servers delete echo --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete the server ${args.slug} and all that belongs to it?`);
    out.say((await client.deleteMcpServer({ query: args })).message);
  },
});

const sync = verb({
  says: "Read an MCP server's tools now",
  args: ["slug"],
  example: "gatehouse servers sync echo",
  timeoutSeconds: SYNC_SECONDS,
  async run({ api, args, out }) {
    const { data } = await api().syncMcpServer({ path: args });
    out.record(data);
    if (data.sync_error !== null) throw new Failure(EXIT.failed, data.sync_error);
  },
});

export const servers: Noun = {
  says: "MCP servers and their tools",
  verbs: {
    list,
    get,
    create,
    update,
    delete: remove,
    sync,
    tools,
    "enable-tools": enableTools,
    "disable-tools": disableTools,
    changes,
    "accept-tools": acceptTools,
  },
  example: "gatehouse servers list",
};
