import type { ArgumentChanges, ToolkitEntry, ToolkitItem, ToolkitPart } from "./toolkits.ts";

/** A toolkit as it is stored. */
export interface ToolkitContent {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly instructions: string;
  readonly least_privilege: boolean;
  readonly owner_id: string | null;
  readonly tools: readonly ContentTool[];
  readonly prompts: readonly { readonly server: string; readonly name: string }[];
  readonly resources: readonly { readonly server: string; readonly uri: string }[];
  /** Slugs. Rows of a snapshot that an earlier release stored have none. */
  readonly skills?: readonly string[];
  readonly commands?: readonly string[];
  readonly groupIds: readonly string[];
}

interface ContentTool {
  readonly server: string;
  readonly tool: string;
  readonly alias?: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: ContentArguments;
}

interface ContentArguments {
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly hidden?: readonly string[];
}

/** Means every tool without its own entry. */
const ALL_TOOLS = "*";

export function compileToolkit(row: ToolkitContent, shareGroupId: (id: string) => string = (id) => id): ToolkitEntry {
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
    skills: new Set(row.skills),
    commands: new Set(row.commands),
  };
}

function compileParts({ id, slug, tools, prompts, resources }: ToolkitContent): ReadonlyMap<string, ToolkitPart> {
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

function compileItem(toolkit: string, { tool, alias, title, description, ...entry }: ContentTool): ToolkitItem {
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
  { fixed = {}, defaults = {}, hidden = [] }: ContentArguments,
): ArgumentChanges {
  return {
    fixed: new Map(Object.entries(fixed).map(([name, value]) => [name, { json: JSON.stringify(value), toolkit }])),
    defaults: new Map(Object.entries(defaults).map(([name, value]) => [name, JSON.stringify(value)])),
    hidden: new Set(hidden),
  };
}
