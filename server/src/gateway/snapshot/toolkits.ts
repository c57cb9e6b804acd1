/** Toolkits as the gateway uses them, with an index of those that restrict servers. */
/** An active toolkit. */
export interface ToolkitEntry {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The servers that it names have only its entries in the views of its users. */
  readonly leastPrivilege: boolean;
  /** The only user who can use it; absent: a toolkit of the organization. */
  readonly ownerId?: string;
  /** May contain ids of deleted groups. */
  readonly groupIds: ReadonlySet<string>;
  /** For models, in the view of the toolkit. */
  readonly instructions?: string;
  /** By the server's slug. */
  readonly parts: ReadonlyMap<string, ToolkitPart>;
  /** Slugs. */
  readonly skills: ReadonlySet<string>;
  /** Slugs. */
  readonly commands: ReadonlySet<string>;
}

/** The entries of a toolkit for one server. */
export interface ToolkitPart {
  readonly toolkitId: string;
  /** The toolkit's slug. */
  readonly toolkit: string;
  readonly tools: readonly ToolkitItem[];
  /** Whether the tools without an entry are included too. */
  readonly others: boolean;
  /** By the server's name of the tool. */
  readonly byTool: ReadonlyMap<string, readonly ToolkitItem[]>;
  /** Entries without an alias are missing. */
  readonly byAlias: ReadonlyMap<string, readonly ToolkitItem[]>;
  /** By the server's name of the prompt. */
  readonly prompts: ReadonlySet<string>;
  /** URIs and URI templates. */
  readonly resources: ReadonlySet<string>;
}

export interface ToolkitItem {
  /** The server's name of the tool. */
  readonly tool: string;
  /** Replaces the part after `__`. */
  readonly alias?: string;
  readonly title?: string;
  readonly description?: string;
  readonly argumentChanges?: ArgumentChanges;
}

/** Of top-level arguments, by name (F11). */
export interface ArgumentChanges {
  /** Sent with every call. Calls in which the caller sets them are refused. */
  readonly fixed: ReadonlyMap<string, FixedArgument>;
  /** As JSON text. Set when the caller sends nothing. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Removed from the caller's arguments. */
  readonly hidden: ReadonlySet<string>;
}

export interface FixedArgument {
  readonly json: string;
  /** The slug of the toolkit that fixes it. */
  readonly toolkit: string;
}

/** Replaced entirely, because toolkits change rarely and are read with every call. */
export interface Toolkits {
  readonly byId: ReadonlyMap<string, ToolkitEntry>;
  readonly bySlug: ReadonlyMap<string, ToolkitEntry>;
  /** Toolkits with least privilege, by the slug of a server that they name, then by the id of a group or owner. */
  readonly restricting: ReadonlyMap<string, ReadonlyMap<string, readonly ToolkitEntry[]>>;
  /** The owners of toolkits with least privilege. */
  readonly restrictingOwners: ReadonlySet<string>;
}

export const NO_TOOLKITS: Toolkits = {
  byId: new Map(),
  bySlug: new Map(),
  restricting: new Map(),
  restrictingOwners: new Set(),
};

/** Undefined removes a toolkit. */
export function nextToolkits(
  { byId: before }: Toolkits,
  changes: ReadonlyMap<string, ToolkitEntry | undefined>,
): Toolkits {
  const byId = new Map(before);
  for (const [id, entry] of changes) {
    if (entry) byId.set(id, entry);
    else byId.delete(id);
  }
  const sorted = [...byId.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const restricting = new Map<string, Map<string, ToolkitEntry[]>>();
  for (const toolkit of sorted) {
    if (!toolkit.leastPrivilege) continue;
    for (const server of toolkit.parts.keys()) {
      const byHolder = restricting.get(server) ?? new Map<string, ToolkitEntry[]>();
      restricting.set(server, byHolder);
      for (const holder of holdersOf(toolkit)) byHolder.set(holder, [...(byHolder.get(holder) ?? []), toolkit]);
    }
  }
  return {
    byId,
    bySlug: new Map(sorted.map((toolkit) => [toolkit.slug, toolkit])),
    restricting,
    restrictingOwners: new Set(sorted.flatMap(({ leastPrivilege, ownerId }) => (leastPrivilege && ownerId) || [])),
  };
}

/** The groups whose members can use it, or its owner. */
function holdersOf({ ownerId, groupIds }: ToolkitEntry): Iterable<string> {
  return ownerId === undefined ? groupIds : [ownerId];
}
