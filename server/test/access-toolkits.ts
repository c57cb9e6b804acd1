/** The rules of toolkits in the access model (F7). */

interface NamedGroup {
  readonly name: string;
  readonly members: ReadonlySet<number>;
}

interface NamedServer {
  readonly slug: string;
}

export interface ModelEntry {
  /** The slug of the server. */
  server: string;
  readonly tool: string;
  readonly alias?: string;
}

export interface ModelToolkit {
  readonly slug: string;
  active: boolean;
  leastPrivilege: boolean;
  /** A user; undefined: a toolkit of the organization. */
  readonly owner: number | undefined;
  readonly groups: Set<NamedGroup>;
  entries: ModelEntry[];
  /** Whether it has the first prompt and the first resource of each of its servers. */
  readonly hasItems: boolean;
  /** Slugs; absent: none. */
  skills?: ReadonlySet<string>;
}

export const TOOLKITS = 3;
/** One is the name of a real tool, so that aliases and tools compete for it. */
export const ALIASES = ["alpha", "nick"];
export const toolkitSlug = (at: number) => `kit${at}`;

/** Whether the user can select the toolkit. */
export function canUse(toolkit: ModelToolkit, user: number, isBound: boolean): boolean {
  if (!toolkit.active) return false;
  if (toolkit.owner !== undefined) return toolkit.owner === user;
  return isBound || isInGroup(toolkit, user);
}

function isInGroup({ groups }: ModelToolkit, user: number): boolean {
  return [...groups].some((group) => group.members.has(user));
}

/** The toolkits with least privilege that limit the server in the user's default view, by slug. */
export function limiting(
  toolkits: readonly ModelToolkit[],
  user: number,
  { slug }: NamedServer,
  withOwn: boolean,
): ModelToolkit[] {
  return toolkits
    .filter(
      ({ active, leastPrivilege, entries }) =>
        active && leastPrivilege && entries.some(({ server }) => server === slug),
    )
    .filter((toolkit) => (toolkit.owner === undefined ? isInGroup(toolkit, user) : withOwn && toolkit.owner === user))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** The exposed names and their tools. `available` are the tools that entries can have. */
export function exposed(toolkits: readonly ModelToolkit[], { slug }: NamedServer, available: readonly string[]) {
  const names = new Map<string, string>();
  for (const { entries } of toolkits) {
    const own = entries.filter(({ server }) => server === slug);
    const explicit = own.filter(({ tool }) => tool !== "*");
    const named = new Map<string, string>();
    const expose = (name: string, tool: string) => {
      if (available.includes(tool) && !named.has(name)) named.set(name, tool);
    };
    for (const { tool, alias } of explicit) if (alias !== undefined) expose(alias, tool);
    for (const { tool, alias } of explicit) if (alias === undefined) expose(tool, tool);
    if (own.length > explicit.length) {
      for (const tool of available) if (!explicit.some((entry) => entry.tool === tool)) expose(tool, tool);
    }
    for (const [name, tool] of named) if (!names.has(name)) names.set(name, tool);
  }
  return names;
}
