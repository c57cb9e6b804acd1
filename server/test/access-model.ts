/** What the access rules promise, in the simplest form that can be right: the judge of AZ-2. */

export interface GroupSettings {
  auto_assign_users: boolean;
  auto_assign_mcps: boolean;
  show_draft_mcps: boolean;
}

export interface ModelServer {
  slug: string;
  active: boolean;
  /** Index of the upstream it points at; undefined: none. */
  upstream: number | undefined;
  /** Names of tools that were switched off: kept, whatever the upstream lists (D21). */
  readonly off: Set<string>;
}

export interface ModelGroup {
  name: string;
  settings: GroupSettings;
  readonly members: Set<number>;
  readonly servers: Set<ModelServer>;
}

export const USERS = 3;
export const SLOTS = 3;
/** The tools of each upstream: some alone, one in both. */
export const TOOLS_OF_UPSTREAM: readonly (readonly string[])[] = [
  ["alpha", "shared"],
  ["shared", "omega"],
];
export const ALL_TOOLS = [...new Set(TOOLS_OF_UPSTREAM.flat())];

export class AccessModel {
  readonly groups: (ModelGroup | undefined)[] = Array.from({ length: SLOTS });
  readonly servers: (ModelServer | undefined)[] = Array.from({ length: SLOTS });
  /** Every slug that a server ever had. */
  readonly slugs = new Set<string>();

  livingGroups(): ModelGroup[] {
    return this.groups.filter((group) => group !== undefined);
  }

  livingServers(): ModelServer[] {
    return this.servers.filter((server) => server !== undefined);
  }

  /** D5: the wanted slug, or the first free number behind it. */
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

  /** Everything that this user may list and call, sorted. */
  reach(user: number): string[] {
    const names = new Set<string>();
    for (const group of this.livingGroups()) {
      if (!group.members.has(user)) continue;
      for (const server of group.servers) {
        if (server.upstream === undefined || !(server.active || group.settings.show_draft_mcps)) continue;
        for (const tool of TOOLS_OF_UPSTREAM[server.upstream] ?? []) {
          if (!server.off.has(tool)) names.add(`${server.slug}__${tool}`);
        }
      }
    }
    return [...names].sort();
  }

  /** Every name that could ever have meant a tool. */
  everyName(): string[] {
    return [...this.slugs].flatMap((slug) => ALL_TOOLS.map((tool) => `${slug}__${tool}`));
  }
}
