/** The access rules in their simplest correct form: the reference for AZ-2. */
import { type ModelSkill, reachedSkills, SKILLS } from "./access-skills.ts";
import { ALIASES, canUse, exposed, limiting, type ModelToolkit, TOOLKITS } from "./access-toolkits.ts";

export interface GroupSettings {
  auto_assign_users: boolean;
  auto_assign_mcps: boolean;
  show_draft_mcps: boolean;
}

export interface ModelServer {
  slug: string;
  active: boolean;
  /** Index of its upstream; undefined if it has none. */
  upstream: number | undefined;
  /** Names of disabled tools, which stay disabled whatever the upstream lists (D21). */
  readonly off: Set<string>;
}

export interface ModelGroup {
  name: string;
  settings: GroupSettings;
  readonly members: Set<number>;
  readonly servers: Set<ModelServer>;
  /** F9: which tools of a server the group grants; servers that are missing are granted with all tools. */
  readonly selections: Map<ModelServer, ModelSelection>;
}

export interface ModelSelection {
  readonly only: boolean;
  readonly names: ReadonlySet<string>;
}

export const USERS = 3;
export const SLOTS = 3;
/** The tools of each upstream: one tool is in both. */
export const TOOLS_OF_UPSTREAM: readonly (readonly string[])[] = [
  ["alpha", "shared"],
  ["shared", "omega"],
];
export const ALL_TOOLS = [...new Set(TOOLS_OF_UPSTREAM.flat())];
/** Prompts cannot be disabled: everyone with access to the server has them. */
export const PROMPTS_OF_UPSTREAM: readonly (readonly string[])[] = [["ask", "both"], ["both"]];
/** Both upstreams have the second resource; two servers of one upstream have all resources in common. */
export const RESOURCES_OF_UPSTREAM: readonly (readonly string[])[] = [["res://zero", "res://both"], ["res://both"]];
const ALL_RESOURCES = [...new Set(RESOURCES_OF_UPSTREAM.flat())];
const ALL_PROMPTS = [...new Set(PROMPTS_OF_UPSTREAM.flat())];

/** In every upstream. */
export const SHARED_PROMPT = "both";
export const SHARED_RESOURCE = "res://both";

export class AccessModel {
  readonly toolkits: (ModelToolkit | undefined)[] = Array.from({ length: TOOLKITS });
  readonly skills: (ModelSkill | undefined)[] = Array.from({ length: SKILLS });
  /** The slug of the toolkit that each user is bound to. */
  readonly bound: (string | undefined)[] = [];
  readonly groups: (ModelGroup | undefined)[] = Array.from({ length: SLOTS });
  readonly servers: (ModelServer | undefined)[] = Array.from({ length: SLOTS });
  /** Every slug that any server ever had. */
  readonly slugs = new Set<string>();

  livingGroups(): ModelGroup[] {
    return this.groups.filter((group) => group !== undefined);
  }

  livingServers(): ModelServer[] {
    return this.servers.filter((server) => server !== undefined);
  }

  /** D5: the wanted slug, or the first free number appended to it. */
  freeSlug(wanted: string, exceptOf?: ModelServer): string {
    const taken = new Set(
      this.livingServers()
        .filter((server) => server !== exceptOf)
        .map((server) => server.slug),
    );
    let slug = wanted;
    for (let number = 2; taken.has(slug); number++) slug = `${wanted}-${number}`;
    return slug;
  }

  livingToolkits(): ModelToolkit[] {
    return this.toolkits.filter((toolkit) => toolkit !== undefined);
  }

  /**
   * The toolkit of a view: the selected one, or the one that the user is bound to. Null: the user cannot use it, and every
   * request is refused.
   */
  toolkitOf(user: number, selected?: string): ModelToolkit | null | undefined {
    const bound = this.bound[user];
    const slug = selected ?? bound;
    if (slug === undefined) return undefined;
    if (bound !== undefined && bound !== slug) return null;
    const toolkit = this.livingToolkits().find((each) => each.slug === slug);
    return toolkit && canUse(toolkit, user, bound === slug) ? toolkit : null;
  }

  /** The URIs of the skills that this user can list and read. */
  reachedSkills(user: number, selected?: string): string[] {
    const toolkit = this.toolkitOf(user, selected);
    return reachedSkills(this.skills, { user, groups: this.livingGroups(), toolkit });
  }

  /** Every tool that this user can list and call, sorted. */
  reach(user: number, selected?: string): string[] {
    return this.#reachedServers(user, selected)
      .flatMap((server) => {
        const names = this.#exposedTools(user, server, selected);
        const granted = [...names].filter(([, tool]) => this.#isGranted(user, server, tool));
        return granted.map(([name]) => `${server.slug}__${name}`);
      })
      .sort();
  }

  /** By exposed name. */
  #exposedTools(user: number, server: ModelServer, selected: string | undefined): Map<string, string> {
    const all = toolsOf(server);
    const layers = this.#layers(user, server, selected);
    if (layers.length === 0) return new Map(all.map((tool) => [tool, tool]));
    const [last = [], ...outer] = layers.toReversed();
    const available = outer.reduce((tools, layer) => {
      const found = new Set(exposed(layer, server, tools).values());
      return tools.filter((tool) => found.has(tool));
    }, all);
    return exposed(last, server, available);
  }

  /** Toolkits that limit the server: each layer exposes a union, and each one restricts the next. */
  #layers(user: number, server: ModelServer, selected: string | undefined): ModelToolkit[][] {
    const toolkit = this.toolkitOf(user, selected);
    const limits = (withOwn: boolean) => {
      const found = limiting(this.livingToolkits(), user, server, withOwn);
      return found.length === 0 ? [] : [found];
    };
    if (!toolkit) return limits(true);
    return toolkit.owner === undefined ? [[toolkit]] : [...limits(false), [toolkit]];
  }

  #hasItem(user: number, server: ModelServer, selected: string | undefined, isShared: boolean): boolean {
    const layers = this.#layers(user, server, selected);
    const has = ({ hasItems, entries }: ModelToolkit) =>
      hasItems && entries.some((entry) => entry.server === server.slug);
    return layers.length === 0 || (isShared && layers.every((layer) => layer.some(has)));
  }

  /** The same for prompts. */
  reachedPrompts(user: number, selected?: string): string[] {
    return this.#reachedServers(user, selected)
      .flatMap((server) => {
        const prompts = PROMPTS_OF_UPSTREAM[server.upstream ?? -1] ?? [];
        const shown = prompts.filter((prompt) => this.#hasItem(user, server, selected, prompt === SHARED_PROMPT));
        return shown.map((prompt) => `${server.slug}__${prompt}`);
      })
      .sort();
  }

  /** D37: the first server by slug keeps a URI, the others list it with their slug. */
  shownResources(user: number, selected?: string): string[] {
    const taken = new Set<string>();
    const shown: string[] = [];
    for (const server of this.#reachedServers(user, selected).sort((a, b) => (a.slug < b.slug ? -1 : 1))) {
      for (const uri of this.#resources(user, server, selected)) {
        shown.push(taken.has(uri) ? `mcp+${server.slug}:${uri}` : uri);
        taken.add(uri);
      }
    }
    return shown.sort();
  }

  /** The URI with the slug is also accepted where the plain URI is listed. */
  readableResources(user: number, selected?: string): string[] {
    const uris = this.#reachedServers(user, selected).flatMap((server) => {
      return this.#resources(user, server, selected).flatMap((uri) => [uri, `mcp+${server.slug}:${uri}`]);
    });
    return [...new Set(uris)].sort();
  }

  #resources(user: number, server: ModelServer, selected: string | undefined): string[] {
    return resourcesOf(server).filter((uri) => this.#hasItem(user, server, selected, uri === SHARED_RESOURCE));
  }

  /** Every URI that could ever have identified a resource. */
  everyResource(): string[] {
    return [...ALL_RESOURCES, ...[...this.slugs].flatMap((slug) => ALL_RESOURCES.map((uri) => `mcp+${slug}:${uri}`))];
  }

  #isGranted(user: number, server: ModelServer, tool: string): boolean {
    return this.livingGroups().some((group) => {
      if (!group.members.has(user) || !group.servers.has(server) || !isShown(group, server)) return false;
      const selection = group.selections.get(server);
      return !selection || selection.names.has(tool) === selection.only;
    });
  }

  #reachedServers(user: number, selected: string | undefined): ModelServer[] {
    const toolkit = this.toolkitOf(user, selected);
    if (toolkit === null) return [];
    const reached = this.livingGroups()
      .filter((group) => group.members.has(user))
      .flatMap((group) => [...group.servers].filter((server) => isShown(group, server)));
    return [...new Set(reached)]
      .filter((server) => server.upstream !== undefined)
      .filter(({ slug }) => !toolkit || toolkit.entries.some(({ server }) => server === slug));
  }

  /** Every name that could ever have identified a tool. */
  everyName(): string[] {
    const names = new Set([...ALL_TOOLS, ...ALIASES]);
    return [...this.slugs].flatMap((slug) => [...names].map((tool) => `${slug}__${tool}`));
  }

  /** Every name that could ever have identified a prompt. */
  everyPrompt(): string[] {
    return [...this.slugs].flatMap((slug) => ALL_PROMPTS.map((prompt) => `${slug}__${prompt}`));
  }
}

function isShown({ settings }: ModelGroup, server: ModelServer): boolean {
  return server.active || settings.show_draft_mcps;
}

function toolsOf({ upstream = -1, off }: ModelServer): string[] {
  return (TOOLS_OF_UPSTREAM[upstream] ?? []).filter((tool) => !off.has(tool));
}

function resourcesOf({ upstream = -1 }: ModelServer): readonly string[] {
  return RESOURCES_OF_UPSTREAM[upstream] ?? [];
}
