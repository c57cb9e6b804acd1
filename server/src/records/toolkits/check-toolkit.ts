import { invalid, unknownReferences } from "#lib/errors";
import type { ToolkitRow, ToolkitTool } from "#storage/toolkit-tables";
import { ALL_TOOLS, checkEntries } from "./check-entries.ts";
import { checkValue, inputSchemaOf } from "./check-value.ts";
import type { KnownServer, KnownServers, KnownTool } from "./known-servers.ts";
import { namedServers } from "./servers.ts";

type Content = Pick<ToolkitRow, "status" | "tools" | "prompts" | "resources">;

/**
 * Throws a Refusal if a toolkit with this content cannot be stored. Servers that it named `before` may be gone by now:
 * their entries stay.
 */
export function checkToolkit(content: Content, known: KnownServers, before?: Omit<Content, "status">): void {
  checkEntries(content.tools);
  const kept = new Set(before ? namedServers(before) : []);
  const unknown = namedServers(content).filter((slug) => !known.has(slug) && !kept.has(slug));
  if (unknown.length > 0) throw unknownReferences("MCP servers", unknown);
  checkExposedNames(content.tools, known);
  for (const [at, entry] of content.tools.entries()) {
    const definition = known.get(entry.server)?.tools.get(entry.tool)?.definition;
    if (definition !== undefined) checkArguments(`tools.${at}.arguments`, entry, inputSchemaOf(definition));
  }
  if (content.status === "active" && content.tools.length === 0) {
    throw invalid("tools", "at least one tool is required to activate");
  }
}

/** What callers would see twice. */
function checkExposedNames(tools: readonly ToolkitTool[], known: KnownServers): void {
  const exposed = new Set<string>();
  for (const [at, { server, tool }] of tools.entries()) {
    if (tool !== ALL_TOOLS) continue;
    if (exposed.has(server)) throw invalid(`tools.${at}.tool`, `"${ALL_TOOLS}" of ${server} is given twice`);
    exposed.add(server);
    for (const { slug } of otherTools(tools, server, known)) exposed.add(`${server}__${slug}`);
  }
  for (const [at, entry] of tools.entries()) {
    if (entry.tool === ALL_TOOLS) continue;
    const name = exposedName(entry, known.get(entry.server));
    if (exposed.has(name)) throw invalid(`tools.${at}.alias`, `duplicate exposed name "${name}"`);
    exposed.add(name);
  }
}

/** What `*` means: the tools without their own entry. */
function otherTools(tools: readonly ToolkitTool[], server: string, known: KnownServers): KnownTool[] {
  const named = new Set(tools.filter((entry) => entry.server === server).map(({ tool }) => tool));
  return [...(known.get(server)?.tools.values() ?? [])].filter((tool) => !named.has(tool.upstream_name));
}

/** Before the first sync, the name at the gateway is not known; most are equal to the server's name. */
export function exposedName({ server, tool, alias }: ToolkitTool, known: KnownServer | undefined): string {
  return `${server}__${alias ?? known?.tools.get(tool)?.slug ?? tool}`;
}

function checkArguments(
  field: string,
  { arguments: { fixed = {}, defaults = {}, hidden = [] } = {} }: ToolkitTool,
  schema: ReturnType<typeof inputSchemaOf>,
): void {
  for (const [kind, values] of Object.entries({ fixed, defaults })) {
    for (const [name, value] of Object.entries(values)) {
      const fault = checkValue(schema, name, value);
      if (fault) throw invalid(`${field}.${kind}.${name}`, fault);
    }
  }
  const missing = hidden.find(
    (name) => schema.required.has(name) && !Object.hasOwn(fixed, name) && !Object.hasOwn(defaults, name),
  );
  if (missing !== undefined) throw invalid(`${field}.hidden`, `"${missing}" is required by the tool`);
}

export interface BrokenTool {
  readonly server: string;
  readonly tool: string;
  readonly reason: "server_missing" | "server_draft" | "tool_missing" | "tool_disabled";
}

/** Entries that no caller can use now. */
export function brokenTools(tools: readonly ToolkitTool[], known: KnownServers): BrokenTool[] {
  return tools.flatMap(({ server, tool }) => {
    const reason = reasonOf(known.get(server), tool);
    return reason ? [{ server, tool, reason }] : [];
  });
}

function reasonOf(server: KnownServer | undefined, name: string): BrokenTool["reason"] | undefined {
  if (!server) return "server_missing";
  if (server.status === "draft") return "server_draft";
  if (name === ALL_TOOLS) return undefined;
  const tool = server.tools.get(name);
  if (!tool) return "tool_missing";
  return tool.usable ? undefined : "tool_disabled";
}

/** The number of tools that the entries mean, including broken ones. */
export function countTools(tools: readonly ToolkitTool[], known: KnownServers): number {
  return tools.reduce((count, { server, tool }) => {
    if (tool !== ALL_TOOLS) return count + 1;
    return count + otherTools(tools, server, known).filter(({ usable }) => usable).length;
  }, 0);
}

/** F45: entries that are accepted although they have no effect now. */
export function toolkitWarnings({ tools, prompts, resources }: Omit<Content, "status">, known: KnownServers): string[] {
  const has = (server: string, test: (known: KnownServer) => boolean) => {
    const found = known.get(server);
    return found === undefined || test(found);
  };
  const lacks = (field: string, server: string, what: string, name: string) => {
    const synced = known.get(server)?.synced ? "" : ", because its tools were never synced";
    return `${field}: MCP server ${server} has no ${what} ${JSON.stringify(name)}${synced}`;
  };
  return [
    ...tools.flatMap(({ server, tool, arguments: changes }, at) => {
      if (!known.has(server)) return [`tools.${at}: MCP server ${server} does not exist`];
      if (tool === ALL_TOOLS) return [];
      const definition = known.get(server)?.tools.get(tool);
      if (!definition) return [lacks(`tools.${at}`, server, "tool", tool)];
      return changes && definition.definition !== undefined ? unknownArguments(at, changes, definition.definition) : [];
    }),
    ...prompts.flatMap(({ server, name }, at) =>
      has(server, (found) => found.prompts.has(name)) ? [] : [lacks(`prompts.${at}`, server, "prompt", name)],
    ),
    ...resources.flatMap(({ server, uri }, at) =>
      has(server, (found) => found.resources.has(uri)) ? [] : [lacks(`resources.${at}`, server, "resource", uri)],
    ),
  ];
}

function unknownArguments(at: number, changes: NonNullable<ToolkitTool["arguments"]>, definition: string): string[] {
  const { properties } = inputSchemaOf(definition);
  const { fixed = {}, defaults = {}, hidden = [] } = changes;
  const named = Object.entries({ fixed: Object.keys(fixed), defaults: Object.keys(defaults), hidden });
  return named.flatMap(([kind, names]) =>
    names
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => `tools.${at}.arguments.${kind}: the tool has no argument ${JSON.stringify(name)}`),
  );
}
