/** Which content of the organization itself (skills, commands) a subject can use. */
import type { Scope } from "./scope.ts";
import type { Snapshot } from "./shape.ts";
import { type Subject, selectedToolkit } from "./toolkit-access.ts";

export interface OwnEntry {
  readonly slug: string;
  /** May contain ids of deleted groups. */
  readonly groupIds: ReadonlySet<string>;
}

export type Reaches = (entry: OwnEntry) => boolean;

const reachesNone: Reaches = () => false;

/**
 * Content of the subject's groups. In the view of a toolkit, only what it names; a toolkit of the organization gives
 * access to it, a user's own toolkit does not. The view of one server has none.
 */
export function reachOf(snapshot: Snapshot, subject: Subject, scope: Scope, member: "skills" | "commands"): Reaches {
  const { user } = subject;
  if (user.disabled || scope.slug !== undefined) return reachesNone;
  const inGroup: Reaches = ({ groupIds }) => user.groupIds.some((id) => groupIds.has(id) && snapshot.groups.has(id));
  const toolkit = selectedToolkit(snapshot, subject, scope);
  if (toolkit === undefined) return inGroup;
  if (toolkit === null) return reachesNone;
  const { [member]: named, ownerId } = toolkit;
  return (entry) => named.has(entry.slug) && (ownerId === undefined || inGroup(entry));
}
