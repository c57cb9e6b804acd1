import type { GuardDefinition } from "#guards/definition";
import { type CommandEntry, NO_COMMANDS, nextCommands } from "./commands.ts";
import { type GuardServices, guardChecks } from "./guard-checks.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { CredentialEntry, GroupEntry, ServerEntry, Snapshot, UserEntry } from "./shape.ts";
import { ShardedMap } from "./sharded-map.ts";
import { NO_SKILLS, nextSkills, type SkillEntry } from "./skills.ts";
import { NO_TOOLKITS, nextToolkits, type ToolkitEntry } from "./toolkits.ts";

/** Entries to set, by key. Undefined removes the entry. */
export type EntryChanges<Entry> = ReadonlyMap<string, Entry | undefined>;

/** The snapshot before the first full build. */
export const emptySnapshot: Snapshot = {
  revision: 0,
  limits: DEFAULT_LIMITS,
  serversById: ShardedMap.empty(),
  serverIdBySlug: ShardedMap.empty(),
  ownSources: [],
  guards: new Map(),
  checks: { request: [], response: [], message: [] },
  groups: new Map(),
  toolkits: NO_TOOLKITS,
  skills: NO_SKILLS,
  commands: NO_COMMANDS,
  usersById: ShardedMap.empty(),
  credentials: ShardedMap.empty(),
};

// Each function below keeps every map that has no changes. The holder compares maps by identity to find outdated views.

export function placeGroups(snapshot: Snapshot, changes: EntryChanges<GroupEntry>): Snapshot {
  if (changes.size === 0) return snapshot;
  const groups = new Map(snapshot.groups);
  for (const [id, group] of changes) {
    if (group) groups.set(id, group);
    else groups.delete(id);
  }
  return { ...snapshot, groups };
}

export function placeServers(snapshot: Snapshot, changes: EntryChanges<ServerEntry>): Snapshot {
  return {
    ...snapshot,
    serversById: snapshot.serversById.with(changes),
    serverIdBySlug: snapshot.serverIdBySlug.with(slugChanges(snapshot, changes)),
  };
}

export function placeToolkits(snapshot: Snapshot, changes: EntryChanges<ToolkitEntry>): Snapshot {
  return changes.size === 0 ? snapshot : { ...snapshot, toolkits: nextToolkits(snapshot.toolkits, changes) };
}

export function placeSkills(snapshot: Snapshot, changes: EntryChanges<SkillEntry>): Snapshot {
  return changes.size === 0 ? snapshot : { ...snapshot, skills: nextSkills(snapshot.skills, changes) };
}

export function placeCommands(snapshot: Snapshot, changes: EntryChanges<CommandEntry>): Snapshot {
  return changes.size === 0 ? snapshot : { ...snapshot, commands: nextCommands(snapshot.commands, changes) };
}

/** Compiles all guards again, because they share the scan of a text. */
export function placeGuards(
  snapshot: Snapshot,
  changes: EntryChanges<GuardDefinition>,
  services: GuardServices | undefined,
): Snapshot {
  if (changes.size === 0 || services === undefined) return snapshot;
  const guards = new Map(snapshot.guards);
  for (const [id, guard] of changes) {
    if (guard) guards.set(id, guard);
    else guards.delete(id);
  }
  return { ...snapshot, guards, checks: guardChecks(guards, services) };
}

export function placeUsers(snapshot: Snapshot, changes: EntryChanges<UserEntry>): Snapshot {
  return { ...snapshot, usersById: snapshot.usersById.with(changes) };
}

/** Credentials are keyed by access key. */
export function placeCredentials(snapshot: Snapshot, changes: EntryChanges<CredentialEntry>): Snapshot {
  return { ...snapshot, credentials: snapshot.credentials.with(changes) };
}

/** Removes all old slugs before it sets new ones, so two servers can swap slugs in one step (D5). */
function slugChanges(snapshot: Snapshot, servers: EntryChanges<ServerEntry>): EntryChanges<string> {
  const slugs = new Map<string, string | undefined>();
  for (const id of servers.keys()) {
    const slug = snapshot.serversById.get(id)?.slug;
    if (slug !== undefined && snapshot.serverIdBySlug.get(slug) === id) slugs.set(slug, undefined);
  }
  for (const server of servers.values()) {
    if (server) slugs.set(server.slug, server.id);
  }
  return slugs;
}

export interface SnapshotChanges {
  readonly revision: number;
  readonly groups?: EntryChanges<GroupEntry>;
  readonly servers?: EntryChanges<ServerEntry>;
  readonly toolkits?: EntryChanges<ToolkitEntry>;
  readonly skills?: EntryChanges<SkillEntry>;
  readonly commands?: EntryChanges<CommandEntry>;
  readonly users?: EntryChanges<UserEntry>;
  /** By access key. */
  readonly credentials?: EntryChanges<CredentialEntry>;
}

const NO_CHANGES: EntryChanges<never> = new Map();

/** Places several kinds of entries in one step. Used by the access check; publishing places kind by kind. */
export function nextSnapshot(current: Snapshot, changes: SnapshotChanges): Snapshot {
  let next = placeGroups(current, changes.groups ?? NO_CHANGES);
  next = placeServers(next, changes.servers ?? NO_CHANGES);
  next = placeToolkits(next, changes.toolkits ?? NO_CHANGES);
  next = placeSkills(next, changes.skills ?? NO_CHANGES);
  next = placeCommands(next, changes.commands ?? NO_CHANGES);
  next = placeUsers(next, changes.users ?? NO_CHANGES);
  next = placeCredentials(next, changes.credentials ?? NO_CHANGES);
  return { ...next, revision: changes.revision };
}
