import type { Scope } from "./scope.ts";
import type { GroupEntry, ServerEntry, Snapshot, ToolEntry, UserEntry } from "./shape.ts";

/**
 * The one authorization function of the gateway: lists, calls and the explanation of both ask here (AZ-2). Pure, and
 * it never waits.
 */

export type NoReach = "user-disabled" | "no-group" | "draft";

export type Reach =
  | { readonly reached: true; readonly through: GroupEntry }
  | { readonly reached: false; readonly reason: NoReach };

const USER_DISABLED: Reach = { reached: false, reason: "user-disabled" };
const NO_GROUP: Reach = { reached: false, reason: "no-group" };
const DRAFT: Reach = { reached: false, reason: "draft" };

/** Through a group that lives, holds the server, and shows it: a draft is shown only by D16's setting (AZ-6). */
export function reaches(snapshot: Snapshot, user: UserEntry, server: ServerEntry): Reach {
  if (user.disabled) return USER_DISABLED;
  let refusal = NO_GROUP;
  for (const groupId of user.groupIds) {
    if (!server.groupIds.has(groupId)) continue;
    const group = snapshot.groups.get(groupId);
    if (!group) continue;
    if (shows(group, server)) return { reached: true, through: group };
    refusal = DRAFT;
  }
  return refusal;
}

/** Every group through which the user reaches the server; `reaches` needs only the first. */
export function groupsThrough(snapshot: Snapshot, user: UserEntry, server: ServerEntry): GroupEntry[] {
  if (user.disabled) return [];
  return user.groupIds.flatMap((groupId) => {
    const group = server.groupIds.has(groupId) ? snapshot.groups.get(groupId) : undefined;
    return group && shows(group, server) ? [group] : [];
  });
}

/** Whether members of a group that holds the server reach it. */
export function shows(group: GroupEntry, server: ServerEntry): boolean {
  return server.active || group.showDrafts;
}

/** The caller must answer all of these alike (D26); only an admin may be told which it was. */
export type Refused =
  | { readonly allowed: false; readonly reason: "malformed-name" | "unknown-server" }
  /** There is such a server: the caller does not reach it, or not this tool on it. */
  | {
      readonly allowed: false;
      readonly reason: NoReach | "no-upstream" | "not-synced" | "unknown-tool";
      readonly server: ServerEntry;
    };

export interface Allowed {
  readonly allowed: true;
  readonly server: ServerEntry;
  readonly tool: ToolEntry;
  /** A group through which the caller reaches the server. */
  readonly through: GroupEntry;
}

export type Decision = Allowed | Refused;

const SEPARATOR = "__";

/** What is called by name, under one rule. */
export type NamedKind = "tools" | "prompts";

/** GW-4: split at the first `__`; slugs hold no underscore, so two names never mean the same tool. */
export function decideTool(
  snapshot: Snapshot,
  user: UserEntry,
  gatewayName: string,
  kind: NamedKind = "tools",
): Decision {
  const split = gatewayName.indexOf(SEPARATOR);
  if (split <= 0) return { allowed: false, reason: "malformed-name" };
  const slug = gatewayName.slice(0, split);
  return decideServerTool(snapshot, user, slug, gatewayName.slice(split + SEPARATOR.length), kind);
}

/** The same within what an address speaks of (D27): a tool of another server is as unknown there as one that is not. */
export function decideScopedTool(
  snapshot: Snapshot,
  user: UserEntry,
  scope: Scope,
  name: string,
  kind: NamedKind = "tools",
): Decision {
  const { slug, prefixed } = scope;
  if (slug === undefined) return decideTool(snapshot, user, name, kind);
  if (!prefixed) return decideServerTool(snapshot, user, slug, name, kind);
  if (!name.startsWith(slug + SEPARATOR)) return { allowed: false, reason: "unknown-server" };
  return decideServerTool(snapshot, user, slug, name.slice(slug.length + SEPARATOR.length), kind);
}

/** `toolName` comes without the prefix. */
export function decideServerTool(
  snapshot: Snapshot,
  user: UserEntry,
  slug: string,
  toolName: string,
  kind: NamedKind = "tools",
): Decision {
  if (toolName === "") return { allowed: false, reason: "malformed-name" };
  const serverId = snapshot.serverIdBySlug.get(slug);
  const server = serverId === undefined ? undefined : snapshot.serversById.get(serverId);
  if (!server) return { allowed: false, reason: "unknown-server" };
  const reach = reaches(snapshot, user, server);
  if (!reach.reached) return { allowed: false, reason: reach.reason, server };
  if (!server.upstream) return { allowed: false, reason: "no-upstream", server };
  const tool = (kind === "tools" ? server.tools : server.prompts.byKey).get(toolName);
  if (!tool) return { allowed: false, reason: server.synced ? "unknown-tool" : "not-synced", server };
  return { allowed: true, server, tool, through: reach.through };
}
