import { Lru } from "#lib/lru";
import type { SnapshotSource } from "../ports.ts";
import { reaches } from "./decide.ts";
import { emptySnapshot } from "./next-snapshot.ts";
import { ALL_SERVERS, type Scope } from "./scope.ts";
import type { ServerEntry, Snapshot, UserEntry } from "./shape.ts";
import { withoutPrefix } from "./unprefixed.ts";

/** What one caller can list: the servers that they reach, in the order of their slugs. */
export interface View {
  readonly servers: readonly ServerEntry[];
  readonly toolCount: number;
  /** What is wrong with these servers, as `ServerEntry.warnings`. */
  readonly warnings: string;
  /** All servers' fragments, joined by commas; empty when there are no tools. */
  toolsFragment(): Buffer;
  /** What of that is one server's. */
  toolsOf(server: ServerEntry): Buffer;
}

const VIEW_BUDGET_BYTES = 64 * 1024 * 1024;
/** A joined fragment of more than this share of the budget would push out too many others, and is made anew each time. */
const LARGEST_KEPT_SHARE = 1 / 8;
const BYTES_PER_VIEW = 512;
const BYTES_PER_REFERENCE = 8;
/** A list must not grow by what is wrong with thousands. */
const MOST_TROUBLED_SERVERS = 50;
const COMMA = Buffer.from(",");
const EMPTY = Buffer.alloc(0);
const prefixedTools = (server: ServerEntry) => server.toolsFragment;
const EMPTY_VIEW: View = {
  servers: [],
  toolCount: 0,
  warnings: "",
  toolsFragment: () => EMPTY,
  toolsOf: prefixedTools,
};

/** The current snapshot of this process, and the views that were made from it. */
export class SnapshotHolder implements SnapshotSource {
  readonly #views: Lru<View>;
  /** By server id. */
  readonly #unprefixed: Lru<Buffer>;
  readonly #largestKept: number;
  readonly #swapListeners: (() => void)[] = [];
  #current: Snapshot = emptySnapshot;

  constructor(viewBudgetBytes = VIEW_BUDGET_BYTES) {
    this.#views = new Lru(viewBudgetBytes);
    this.#unprefixed = new Lru(viewBudgetBytes / 4);
    this.#largestKept = viewBudgetBytes * LARGEST_KEPT_SHARE;
  }

  current(): Snapshot {
    return this.#current;
  }

  /** Views depend on servers and groups only: a new user or key leaves them true. */
  swap(next: Snapshot): void {
    const sameViews = next.serversById === this.#current.serversById && next.groups === this.#current.groups;
    this.#current = next;
    if (!sameViews) {
      this.#views.clear();
      this.#unprefixed.clear();
    }
    for (const listener of this.#swapListeners) listener();
  }

  /** Told after each swap; must return at once. */
  onSwap(listener: () => void): void {
    this.#swapListeners.push(listener);
  }

  /** Asks for the user as they are now: the caller may have waited since it authenticated them. */
  viewFor(caller: UserEntry, scope = ALL_SERVERS): View {
    const user = this.#current.usersById.get(caller.id);
    if (!user || user.disabled) return EMPTY_VIEW;
    if (scope.slug !== undefined) return this.#viewOfOne(user, scope.slug, scope);
    const key = viewKey(this.#current, user);
    const known = this.#views.get(key);
    if (known) return known;
    const view = this.#makeView(key, reachedServers(this.#current, user));
    this.#views.set(key, view, viewWeight(key, view));
    return view;
  }

  /** D27: a server out of reach looks like one that does not exist, and neither is an error: the list is empty. */
  #viewOfOne(user: UserEntry, slug: string, { prefixed }: Scope): View {
    const serverId = this.#current.serverIdBySlug.get(slug);
    const server = serverId === undefined ? undefined : this.#current.serversById.get(serverId);
    if (!server || !reaches(this.#current, user, server).reached) return EMPTY_VIEW;
    const toolsOf = prefixed ? prefixedTools : (one: ServerEntry) => this.#unprefixedTools(one);
    const { toolCount, warnings } = server;
    return { servers: [server], toolCount, warnings, toolsFragment: () => toolsOf(server), toolsOf };
  }

  /** Cut once and kept as long as views are; it is the same for everyone who reaches the server. */
  #unprefixedTools(server: ServerEntry): Buffer {
    const known = this.#unprefixed.get(server.id);
    if (known) return known;
    const fragment = withoutPrefix(server.toolsFragment, server.slug);
    this.#unprefixed.set(server.id, fragment, fragment.length + BYTES_PER_VIEW);
    return fragment;
  }

  #makeView(key: string, servers: readonly ServerEntry[]): View {
    let joined: Buffer | undefined;
    const view: View = {
      servers,
      toolCount: servers.reduce((count, server) => count + server.toolCount, 0),
      warnings: warningsOf(servers),
      toolsFragment: () => {
        if (joined) return joined;
        const fragment = joinFragments(servers);
        // A view that a swap has thrown out must not come back through its weight.
        if (fragment.length <= this.#largestKept && this.#views.get(key) === view) {
          joined = fragment;
          this.#views.set(key, view, viewWeight(key, view) + fragment.length);
        }
        return fragment;
      },
      toolsOf: prefixedTools,
    };
    return view;
  }
}

/** Which servers are reached hangs on the set of living groups alone; JSON keeps two sets from sharing a key. */
function viewKey(snapshot: Snapshot, user: UserEntry): string {
  const living = new Set(user.groupIds.filter((groupId) => snapshot.groups.has(groupId)));
  return JSON.stringify([...living].sort());
}

function reachedServers(snapshot: Snapshot, user: UserEntry): ServerEntry[] {
  const servers = new Set<ServerEntry>();
  for (const groupId of user.groupIds) {
    for (const serverId of snapshot.groups.get(groupId)?.serverIds ?? []) {
      const server = snapshot.serversById.get(serverId);
      if (server && reaches(snapshot, user, server).reached) servers.add(server);
    }
  }
  return [...servers].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function warningsOf(servers: readonly ServerEntry[]): string {
  const told = servers.map((server) => server.warnings).filter((warnings) => warnings !== "");
  return told.slice(0, MOST_TROUBLED_SERVERS).join(",");
}

function joinFragments(servers: readonly ServerEntry[]): Buffer {
  const parts: Buffer[] = [];
  for (const { toolsFragment } of servers) {
    if (toolsFragment.length === 0) continue;
    if (parts.length > 0) parts.push(COMMA);
    parts.push(toolsFragment);
  }
  return parts.length === 1 ? (parts[0] ?? EMPTY) : Buffer.concat(parts);
}

function viewWeight(key: string, view: View): number {
  return BYTES_PER_VIEW + key.length + view.warnings.length + view.servers.length * BYTES_PER_REFERENCE;
}
