import type { ArgumentChanges, ToolkitEntry, ToolkitItem, ToolkitPart } from "#gateway/snapshot/toolkits";
import type { ToolkitTool } from "#storage/toolkit-tables";
import type { Share } from "./compile.ts";
import type { PublishedToolkit } from "./published-records.ts";

/** Means every tool without its own entry. */
const ALL_TOOLS = "*";

export function compileToolkit(row: PublishedToolkit, shareGroupId: Share): ToolkitEntry {
  const { id, slug, name, instructions, owner_id: ownerId } = row;
  return {
    id,
    slug,
    name,
    leastPrivilege: row.least_privilege,
    ...(ownerId !== null && { ownerId }),
    groupIds: new Set(row.groupIds.map(shareGroupId)),
    ...(instructions !== "" && { instructions }),
    parts: compileParts(row),
  };
}

function compileParts({ id, slug, tools, prompts, resources }: PublishedToolkit): ReadonlyMap<string, ToolkitPart> {
  const servers = new Set([...tools, ...prompts, ...resources].map(({ server }) => server));
  const ofServer = {
    tools: Map.groupBy(tools, ({ server }) => server),
    prompts: Map.groupBy(prompts, ({ server }) => server),
    resources: Map.groupBy(resources, ({ server }) => server),
  };
  return new Map(
    [...servers].map((server): [string, ToolkitPart] => {
      const entries = ofServer.tools.get(server) ?? [];
      const items = entries.filter(({ tool }) => tool !== ALL_TOOLS).map((entry) => compileItem(slug, entry));
      const part = {
        toolkitId: id,
        toolkit: slug,
        tools: items,
        byTool: Map.groupBy(items, ({ tool }) => tool),
        byAlias: aliases(items),
        others: entries.some(({ tool }) => tool === ALL_TOOLS),
        prompts: new Set(ofServer.prompts.get(server)?.map((prompt) => prompt.name)),
        resources: new Set(ofServer.resources.get(server)?.map(({ uri }) => uri)),
      };
      return [server, part];
    }),
  );
}

function aliases(items: readonly ToolkitItem[]): ReadonlyMap<string, readonly ToolkitItem[]> {
  const aliased = items.filter((item) => item.alias !== undefined);
  return Map.groupBy(aliased, ({ alias = "" }) => alias);
}

function compileItem(toolkit: string, { tool, alias, title, description, ...entry }: ToolkitTool): ToolkitItem {
  const argumentChanges = entry.arguments && compileArguments(toolkit, entry.arguments);
  return {
    tool,
    ...(alias !== undefined && { alias }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(argumentChanges && { argumentChanges }),
  };
}

function compileArguments(
  toolkit: string,
  { fixed = {}, defaults = {}, hidden = [] }: NonNullable<ToolkitTool["arguments"]>,
): ArgumentChanges {
  return {
    fixed: new Map(Object.entries(fixed).map(([name, value]) => [name, { json: JSON.stringify(value), toolkit }])),
    defaults: new Map(Object.entries(defaults).map(([name, value]) => [name, JSON.stringify(value)])),
    hidden: new Set(hidden),
  };
}
