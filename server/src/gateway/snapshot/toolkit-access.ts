/** Which toolkit a view is limited to, and what toolkits expose of a server. A toolkit never widens access. */
import type { Principal } from "./authenticate.ts";
import { Exposure } from "./exposure.ts";
import type { Scope } from "./scope.ts";
import type { ServerEntry, Snapshot } from "./shape.ts";
import type { ToolkitEntry, ToolkitPart } from "./toolkits.ts";

/** What access depends on: the principal of a request, or the user that an admin asks about. */
export type Subject = Pick<Principal, "user"> & Partial<Pick<Principal, "via" | "toolkit" | "actor">>;

/** Undefined: none is selected. Null: the subject cannot use the selected one (F12). */
export function selectedToolkit(snapshot: Snapshot, subject: Subject, scope: Scope): ToolkitEntry | null | undefined {
  const { user, toolkit: ofCredential } = subject;
  const bound = user.toolkit;
  const slug = scope.toolkit ?? ofCredential ?? bound;
  if (slug === undefined) return undefined;
  if (slug !== (ofCredential ?? slug) || slug !== (bound ?? slug)) return null;
  const toolkit = snapshot.toolkits.bySlug.get(slug);
  return toolkit && canUse(snapshot, subject, toolkit) ? toolkit : null;
}

/** Being bound to a toolkit of the organization is enough to use it. */
function canUse({ groups }: Snapshot, { user, toolkit: ofCredential }: Subject, toolkit: ToolkitEntry): boolean {
  const { slug, ownerId, groupIds } = toolkit;
  if (user.disabled) return false;
  if (ownerId !== undefined) return ownerId === user.id;
  if (slug === user.toolkit || slug === ofCredential) return true;
  return user.groupIds.some((id) => groupIds.has(id) && groups.has(id));
}

/** Undefined: no toolkit restricts the server. Costs one lookup then. */
export function exposureOf(
  snapshot: Snapshot,
  subject: Subject,
  scope: Scope,
  server: ServerEntry,
): Exposure | undefined {
  const toolkit = selectedToolkit(snapshot, subject, scope);
  if (toolkit === undefined) return restrictionOf(snapshot, subject, server, true);
  const part = toolkit?.parts.get(server.slug);
  // What a user's own toolkit exposes stays restricted by the toolkits of the organization.
  const within = toolkit?.ownerId === undefined ? undefined : restrictionOf(snapshot, subject, server, false);
  return new Exposure(server, part ? [part] : [], within);
}

/** By the toolkits with least privilege that name the server, ordered by slug. */
function restrictionOf(
  { toolkits, groups }: Snapshot,
  { user }: Subject,
  server: ServerEntry,
  withOwn: boolean,
): Exposure | undefined {
  const byHolder = toolkits.restricting.get(server.slug);
  if (!byHolder) return undefined;
  let found = withOwn ? byHolder.get(user.id) : undefined;
  for (const groupId of user.groupIds) {
    const ofGroup = groups.has(groupId) ? byHolder.get(groupId) : undefined;
    if (ofGroup) found = found ? mergedBySlug(found, ofGroup) : ofGroup;
  }
  return found && new Exposure(server, partsOf(found, server));
}

/** Most callers have toolkits through one group only, whose toolkits are in order. */
function mergedBySlug(one: readonly ToolkitEntry[], other: readonly ToolkitEntry[]): readonly ToolkitEntry[] {
  return [...new Set([...one, ...other])].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function partsOf(toolkits: readonly ToolkitEntry[], server: ServerEntry): ToolkitPart[] {
  const parts: ToolkitPart[] = [];
  for (const toolkit of toolkits) {
    const part = toolkit.parts.get(server.slug);
    if (part) parts.push(part);
  }
  return parts;
}
