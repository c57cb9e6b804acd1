/** The access rules in their simplest correct form: the reference for AZ-2. */

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

export class AccessModel {
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

  /** Every tool that this user can list and call, sorted. */
  reach(user: number): string[] {
    return this.#reachedServers(user)
      .flatMap((server) => {
        const granted = toolsOf(server).filter((tool) => this.#isGranted(user, server, tool));
        return granted.map((tool) => `${server.slug}__${tool}`);
      })
      .sort();
  }

  /** The same for prompts. */
  reachedPrompts(user: number): string[] {
    return this.#reachedServers(user)
      .flatMap(({ slug, upstream = -1 }) => (PROMPTS_OF_UPSTREAM[upstream] ?? []).map((prompt) => `${slug}__${prompt}`))
      .sort();
  }

  /** D37: the first server by slug keeps a URI, the others list it with their slug. */
  shownResources(user: number): string[] {
    const taken = new Set<string>();
    const shown: string[] = [];
    for (const server of this.#reachedServers(user).sort((a, b) => (a.slug < b.slug ? -1 : 1))) {
      for (const uri of resourcesOf(server)) {
        shown.push(taken.has(uri) ? `mcp+${server.slug}:${uri}` : uri);
        taken.add(uri);
      }
    }
    return shown.sort();
  }

  /** The URI with the slug is also accepted where the plain URI is listed. */
  readableResources(user: number): string[] {
    const uris = this.#reachedServers(user).flatMap((server) => {
      return resourcesOf(server).flatMap((uri) => [uri, `mcp+${server.slug}:${uri}`]);
    });
    return [...new Set(uris)].sort();
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

  #reachedServers(user: number): ModelServer[] {
    const reached = this.livingGroups()
      .filter((group) => group.members.has(user))
      .flatMap((group) => [...group.servers].filter((server) => isShown(group, server)));
    return [...new Set(reached)].filter((server) => server.upstream !== undefined);
  }

  /** Every name that could ever have identified a tool. */
  everyName(): string[] {
    return [...this.slugs].flatMap((slug) => ALL_TOOLS.map((tool) => `${slug}__${tool}`));
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
