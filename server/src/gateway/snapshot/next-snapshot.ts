import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { CredentialEntry, GroupEntry, ServerEntry, Snapshot, UserEntry } from "./shape.ts";
import { ShardedMap } from "./sharded-map.ts";

/** What the next snapshot has and the current one has not; undefined stands for an entry that is gone. */
export interface SnapshotChanges {
  readonly revision: number;
  /** Absent: as they are. */
  readonly limits?: Limits | undefined;
  readonly servers: ReadonlyMap<string, ServerEntry | undefined>;
  readonly groups: ReadonlyMap<string, GroupEntry | undefined>;
  readonly users: ReadonlyMap<string, UserEntry | undefined>;
  /** By access key. */
  readonly credentials: ReadonlyMap<string, CredentialEntry | undefined>;
}

/** The world before the first build: nobody is known, nothing can be called. */
export const emptySnapshot: Snapshot = {
  revision: 0,
  limits: DEFAULT_LIMITS,
  serversById: ShardedMap.empty(),
  serverIdBySlug: ShardedMap.empty(),
  ownSources: [],
  checks: { request: [], response: [] },
  groups: new Map(),
  usersById: ShardedMap.empty(),
  credentials: ShardedMap.empty(),
};

/** Maps that no change touches stay the same objects: the holder tells by that which views are still true. */
export function nextSnapshot(current: Snapshot, changes: SnapshotChanges): Snapshot {
  return {
    revision: changes.revision,
    limits: changes.limits ?? current.limits,
    serversById: current.serversById.with(changes.servers),
    serverIdBySlug: current.serverIdBySlug.with(slugChanges(current, changes.servers)),
    ownSources: current.ownSources,
    checks: current.checks,
    groups: nextGroups(current.groups, changes.groups),
    usersById: current.usersById.with(changes.users),
    credentials: current.credentials.with(changes.credentials),
  };
}

/** All old slugs leave before any new one is set, so servers may swap their slugs in one step (D5). */
function slugChanges(
  current: Snapshot,
  servers: ReadonlyMap<string, ServerEntry | undefined>,
): ReadonlyMap<string, string | undefined> {
  const slugs = new Map<string, string | undefined>();
  for (const id of servers.keys()) {
    const slug = current.serversById.get(id)?.slug;
    if (slug !== undefined && current.serverIdBySlug.get(slug) === id) slugs.set(slug, undefined);
  }
  for (const server of servers.values()) {
    if (server) slugs.set(server.slug, server.id);
  }
  return slugs;
}

function nextGroups(
  current: ReadonlyMap<string, GroupEntry>,
  changes: ReadonlyMap<string, GroupEntry | undefined>,
): ReadonlyMap<string, GroupEntry> {
  if (changes.size === 0) return current;
  const groups = new Map(current);
  for (const [id, group] of changes) {
    if (group) groups.set(id, group);
    else groups.delete(id);
  }
  return groups;
}
