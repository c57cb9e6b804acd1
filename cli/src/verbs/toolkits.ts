import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { JSON_BODY, LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";

type Listed = Schemas["ToolkitSelection"];

const STATUS = { type: "choice", choices: ["active", "draft"] } as const;

const FIELDS = {
  description: { type: "text", hint: "text", description: "what it is for" },
  instructions: { type: "text", hint: "text", description: "instructions for models" },
  status: { ...STATUS, description: "only active toolkits reach callers" },
  "least-privilege": { type: "switch", description: "users see only its tools of its servers, also by default" },
  group: { type: "list", hint: "name", description: "group that can use it; repeat for more, replaces all" },
  json: JSON_BODY,
} as const satisfies Options;

function fieldsOf(options: Values<typeof FIELDS>) {
  const { description, instructions, status, group } = options;
  const groups = group && [...group];
  return given({ description, instructions, status, least_privilege: options["least-privilege"], groups });
}

const list = verb({
  description: "List toolkits",
  options: {
    status: { ...STATUS, description: "only toolkits with this status" },
    server: { type: "text", hint: "slug", description: "only toolkits with tools of this server" },
    owner: { type: "text", hint: "email", description: 'only toolkits of this user; "none": of the organization' },
    search: SEARCH,
    limit: LIMIT,
  },
  example: "gatehouse toolkits list --status active",
  async run({ api, options: { limit, ...filter }, out }) {
    const client = api();
    const rows = await readPages<Listed, number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listToolkits({ query: { ...filter, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Listed> = {
      SLUG: (toolkit) => toolkit.slug,
      NAME: (toolkit) => toolkit.name,
      STATUS: (toolkit) => toolkit.status,
      TOOLS: (toolkit) => toolkit.tools_count,
      BROKEN: (toolkit) => toolkit.broken_tools?.length ?? 0,
      "LEAST PRIVILEGE": (toolkit) => toolkit.least_privilege,
      GROUPS: (toolkit) => toolkit.owner_email ?? toolkit.groups?.join(", ") ?? "",
    };
    out.list(rows, columns, "No toolkits. Create one: gatehouse toolkits create <name>");
  },
});

const get = verb({
  description: "Show a toolkit and its entries",
  args: ["toolkit"],
  example: "gatehouse toolkits get triage",
  async run({ api, args, out }) {
    out.record((await api().getToolkit({ path: { slug: args.toolkit } })).data);
  },
});

const create = verb({
  description: "Create a toolkit, as a draft unless --status active",
  args: ["name"],
  options: {
    slug: { type: "text", hint: "slug", description: "for ?toolkit=; default: from the name" },
    tool: { type: "list", hint: "server/tool", description: "tool to include, or server/*; repeat for more" },
    owner: { type: "text", hint: "email", description: "make it a toolkit of this user" },
    ...FIELDS,
  },
  example: 'gatehouse toolkits create "Issue triage" --tool github/search_issues --group Support --status active',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreateToolkit"]>({ readText }, options.json);
    const tools = options.tool?.map(readTool);
    const fields = given({ slug: options.slug, tools, owner_email: options.owner });
    const answer = await api().createToolkit({ body: { ...more, ...fields, ...fieldsOf(options), name: args.name } });
    for (const warning of answer.warnings ?? []) out.say(`Warning: ${warning}.`);
    out.say(`Created toolkit \`${answer.data.slug}\`.`);
    out.record(answer.data);
  },
});

/** Tools can have a slash in their names; slugs of servers cannot. */
function readTool(text: string): { server: string; tool: string } {
  const [, server, tool] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (server === undefined || tool === undefined) {
    throw badUsage(`--tool must be a server and one of its tools, such as github/search_issues, not "${text}"`);
  }
  return { server, tool };
}

const update = verb({
  description: "Change a toolkit; omitted options stay unchanged",
  args: ["toolkit"],
  options: {
    name: { type: "text", hint: "name", description: "new name" },
    "no-groups": { type: "flag", description: "remove it from all groups" },
    ...FIELDS,
  },
  example: "gatehouse toolkits update triage --status active --group Support",
  async run({ api, args, options, readText, out }) {
    if (options.group && options["no-groups"]) throw badUsage("--group and --no-groups cannot be combined");
    const more = await jsonBody<Schemas["UpdateToolkit"]>({ readText }, options.json);
    const groups = options["no-groups"] ? { groups: [] } : {};
    const body = { ...more, ...given({ name: options.name }), ...fieldsOf(options), ...groups };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    const answer = await api().updateToolkit({ query: { slug: args.toolkit }, body });
    for (const warning of answer.warnings ?? []) out.say(`Warning: ${warning}.`);
    out.say(`Updated toolkit \`${answer.data.slug}\`.`);
    out.record(answer.data);
  },
});

const remove = verb({
  description: "Delete a toolkit",
  args: ["toolkit"],
  options: { force: { type: "flag", description: "also if machine users or agents are bound to it" }, yes: YES },
  example: "gatehouse toolkits delete triage --yes",
  async run({ api, args, options, out, confirm }) {
    const client = api();
    await confirm(`Delete toolkit ${args.toolkit}?`);
    await client.deleteToolkit({ query: { slug: args.toolkit, ...given({ force: options.force }) } });
    out.say(`Deleted toolkit \`${args.toolkit}\`.`);
  },
});

const setTool = verb({
  description: "Add a tool to a toolkit, or replace its entry",
  args: ["toolkit", "server", "tool"],
  options: {
    alias: { type: "text", hint: "name", description: "the name that callers see after the server" },
    title: { type: "text", hint: "text", description: "replaces the title" },
    description: { type: "text", hint: "text", description: "replaces the description" },
    fix: { type: "list", hint: "name=value", description: "argument that callers cannot set; repeat for more" },
    default: { type: "list", hint: "name=value", description: "argument that callers can omit; repeat for more" },
    hide: { type: "list", hint: "name", description: "argument that is removed; repeat for more" },
  },
  example: "gatehouse toolkits set-tool triage github search_issues --alias search --fix owner=acme",
  async run({ api, args, options, out }) {
    const { alias, title, description, hide } = options;
    const changes = {
      fixed: readValues("--fix", options.fix),
      defaults: readValues("--default", options.default),
      hidden: [...(hide ?? [])],
    };
    const entry = { server: args.server, tool: args.tool, ...given({ alias, title, description }), arguments: changes };
    const path = { slug: args.toolkit };
    // "*" takes no changes, not even empty ones.
    const tools = [args.tool === "*" ? { server: args.server, tool: args.tool } : entry];
    const answer = await api().addToolkitTools({ path, body: { tools } });
    for (const warning of answer.warnings ?? []) out.say(`Warning: ${warning}.`);
    out.say(`Toolkit \`${args.toolkit}\` has ${answer.data.tools_count} tools.`);
    out.record(answer.data);
  },
});

/** Values are JSON if they can be, otherwise text: `page=1` is a number, `owner=acme` a text. */
function readValues(option: string, values: readonly string[] = []): Record<string, unknown> {
  const entries = values.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw badUsage(`${option} must be name=value, not "${text}"`);
    return [text.slice(0, at), readValue(text.slice(at + 1))] as const;
  });
  return Object.fromEntries(entries);
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const removeTool = verb({
  description: "Remove a tool from a toolkit",
  args: ["toolkit", "server", "tool"],
  options: { alias: { type: "text", hint: "name", description: "the entry, if the tool has several" } },
  example: "gatehouse toolkits remove-tool triage github search_issues",
  async run({ api, args, options, out }) {
    const query = { server: args.server, tool: args.tool, ...given(options) };
    const { data } = await api().removeToolkitTool({ path: { slug: args.toolkit }, query });
    out.say(`Toolkit \`${args.toolkit}\` has ${data.tools_count} tools.`);
    out.record(data);
  },
});

const preview = verb({
  description: "Show what a user gets with a toolkit",
  args: ["toolkit", "email"],
  example: "gatehouse toolkits preview triage ada@example.com",
  async run({ api, args, out }) {
    const { data } = await api().previewToolkit({ path: { slug: args.toolkit }, query: { email: args.email } });
    const shown = data.tools.map(({ name, source }) => ({ name, ...source, reason: "" }));
    const rows = [...shown, ...data.hidden.map((hidden) => ({ name: "", ...hidden }))];
    const columns: Columns<(typeof rows)[number]> = {
      NAME: (row) => row.name,
      SERVER: (row) => row.server,
      TOOL: (row) => row.tool,
      "NOT SHOWN": (row) => row.reason,
    };
    const tokens = data.tokens_estimate.toLocaleString("en");
    out.say(`All tools of the toolkit take about ${tokens} tokens. ${args.email} gets ${shown.length} of them.`);
    out.list(rows, columns, "No tools.");
  },
});

export const toolkits: Noun = {
  description: "Selections of tools from several servers",
  verbs: { list, get, create, update, delete: remove, "set-tool": setTool, "remove-tool": removeTool, preview },
  example: "gatehouse toolkits list",
};
