import { invalid, unknownReferences } from "#lib/errors";
import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";
import { findCommandsBySlug } from "#records/commands";
import { findServersBySlug } from "#records/mcp-servers";
import { readSettings } from "#records/settings";
import { findSkillsBySlug } from "#records/skills";
import { findToolkitsBySlug } from "#records/toolkits";
import type { MainDb, MainTransaction } from "#storage/database";
import { PLUGIN_TARGETS, type PluginDefinition, type PluginMcp, type PluginRow } from "#storage/plugin-tables";
import { insertPlugin, updatePlugin } from "./store.ts";

/** Undefined keeps the value, and null restores the default. */
export type GivenPlugin = {
  readonly [Field in Exclude<keyof PluginDefinition, "mcp">]?: PluginDefinition[Field] | null | undefined;
} & {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly mcp?: { readonly [Field in keyof PluginMcp]?: PluginMcp[Field] | undefined } | null | undefined;
};

const DEFAULT_MCP: PluginMcp = { include_gateway: true, server_name: "gateway", toolkit: null, servers: [] };

const DEFAULTS: PluginDefinition = {
  ...{ author: null, category: null, keywords: [], homepage: null, license: null },
  ...{ skills: [], commands: [], agents: [], hooks: null },
  mcp: DEFAULT_MCP,
  targets: [...PLUGIN_TARGETS],
};

interface NewPlugin {
  readonly id: string;
  readonly slug?: string | undefined;
  readonly name: string;
  readonly now: number;
}

export async function createPlugin(
  tx: MainTransaction,
  { id, slug, name, now }: NewPlugin,
  given: GivenPlugin,
): Promise<PluginRow> {
  const definition = definitionOf(DEFAULTS, given);
  checkDefinition(definition);
  await checkReferences(tx, definition);
  return insertPlugin(tx, {
    ...{ id, slug: slug ?? slugFromName(name, "plugin", LONG_SLUG_MAX_LENGTH), name, search_text: "" },
    ...{ description: given.description ?? "", status: "draft", definition, releases: 0 },
    ...{ created_at: now, updated_at: now },
  });
}

/** `before` is the locked row. */
export async function changePlugin(
  tx: MainTransaction,
  before: PluginRow,
  given: GivenPlugin & { readonly status?: PluginRow["status"] | undefined },
  now: number,
): Promise<PluginRow> {
  const definition = definitionOf(before.definition, given);
  checkDefinition(definition);
  await checkReferences(tx, definition, before.definition);
  return updatePlugin(tx, before, {
    ...{ definition, updated_at: now, status: given.status ?? before.status, name: given.name ?? before.name },
    description: given.description === undefined ? before.description : (given.description ?? ""),
  });
}

function definitionOf(before: PluginDefinition, given: GivenPlugin): PluginDefinition {
  const pick = <Value>(value: Value | null | undefined, current: Value, fallback: Value): Value =>
    value === undefined ? current : (value ?? fallback);
  const list = <Value>(value: Value[] | null | undefined, current: Value[]) => [...new Set(pick(value, current, []))];
  const { mcp } = given;
  return {
    author: pick(given.author, before.author, null),
    category: pick(given.category, before.category, null),
    keywords: list(given.keywords, before.keywords),
    homepage: pick(given.homepage, before.homepage, null),
    license: pick(given.license, before.license, null),
    skills: list(given.skills, before.skills),
    commands: list(given.commands, before.commands),
    agents: pick(given.agents, before.agents, []),
    hooks: pick(given.hooks, before.hooks, null),
    targets: pick(given.targets, before.targets, DEFAULTS.targets),
    mcp: mcp === null ? DEFAULT_MCP : mcpOf(before.mcp, mcp ?? {}),
  };
}

function mcpOf(before: PluginMcp, given: NonNullable<GivenPlugin["mcp"]>): PluginMcp {
  const {
    include_gateway = before.include_gateway,
    server_name = before.server_name,
    toolkit = before.toolkit,
    servers = before.servers,
  } = given;
  return { include_gateway, server_name, toolkit, servers: [...new Set(servers)] };
}

/** Rules about several fields. */
function checkDefinition({ agents, mcp }: PluginDefinition): void {
  const names = new Set<string>();
  for (const [at, { name }] of agents.entries()) {
    if (names.has(name)) throw invalid(`agents.${at}.name`, `duplicate agent "${name}"`);
    names.add(name);
  }
  if (mcp.include_gateway && mcp.servers.includes(mcp.server_name))
    throw invalid("mcp.server_name", `"${mcp.server_name}" is also one of the servers`);
}

/** What the plugin named `before` may be gone by now; the next release needs everything. */
export async function checkReferences(
  db: MainDb,
  { skills, commands, mcp, hooks }: PluginDefinition,
  before?: PluginDefinition,
): Promise<void> {
  if (hooks !== null && hooks !== before?.hooks && !(await readSettings(db)).allow_plugin_hooks)
    throw invalid("hooks", "hooks are disabled for this organization");
  const isNew = (known: readonly string[] | undefined) => (slug: string) => !known?.includes(slug);
  const addedSkills = skills.filter(isNew(before?.skills));
  throwUnknown("Skills", addedSkills, await findSkillsBySlug(db, addedSkills));
  const addedCommands = commands.filter(isNew(before?.commands));
  throwUnknown("Commands", addedCommands, await findCommandsBySlug(db, addedCommands));
  const toolkits = mcp.toolkit === null || mcp.toolkit === before?.mcp.toolkit ? [] : [mcp.toolkit];
  const found = await findToolkitsBySlug(db, toolkits);
  // A toolkit of a user is of no use for others.
  throwUnknown(
    "Toolkits",
    toolkits,
    found.filter(({ owner_id: owner }) => owner === null),
  );
  const addedServers = mcp.servers.filter(isNew(before?.mcp.servers));
  throwUnknown("MCP servers", addedServers, addedServers.length === 0 ? [] : await findServersBySlug(db, addedServers));
}

function throwUnknown(what: string, slugs: readonly string[], found: readonly { readonly slug: string }[]): void {
  const unknown = slugs.filter((slug) => !found.some((row) => row.slug === slug));
  if (unknown.length > 0) throw unknownReferences(what, unknown);
}
