/** Which skills a subject can use. */
import type { Scope } from "./scope.ts";
import type { Snapshot } from "./shape.ts";
import { parseSkillUri, type SkillEntry, type SkillFileEntry } from "./skills.ts";
import { type Subject, selectedToolkit } from "./toolkit-access.ts";

export interface SkillFile {
  readonly skill: SkillEntry;
  readonly file: SkillFileEntry;
}

type Reaches = (skill: SkillEntry) => boolean;

const reachesNone: Reaches = () => false;

/**
 * Skills of the subject's groups. In the view of a toolkit, only those that it names; a toolkit of the organization gives
 * access to them, a user's own toolkit does not. The view of one server has none.
 */
function reachOf(snapshot: Snapshot, subject: Subject, scope: Scope): Reaches {
  const { user } = subject;
  if (user.disabled || scope.slug !== undefined) return reachesNone;
  const inGroup: Reaches = ({ groupIds }) => user.groupIds.some((id) => groupIds.has(id) && snapshot.groups.has(id));
  const toolkit = selectedToolkit(snapshot, subject, scope);
  if (toolkit === undefined) return inGroup;
  if (toolkit === null) return reachesNone;
  const { skills, ownerId } = toolkit;
  return (skill) => skills.has(skill.slug) && (ownerId === undefined || inGroup(skill));
}

/** Ordered by slug. */
export function skillsOf(snapshot: Snapshot, subject: Subject, scope: Scope): SkillEntry[] {
  if (snapshot.skills.sorted.length === 0) return [];
  return snapshot.skills.sorted.filter(reachOf(snapshot, subject, scope));
}

/** Undefined for a skill that does not exist and for one out of reach (D26). */
export function skillOf(snapshot: Snapshot, subject: Subject, scope: Scope, slug: string): SkillEntry | undefined {
  const skill = snapshot.skills.bySlug.get(slug);
  return skill && reachOf(snapshot, subject, scope)(skill) ? skill : undefined;
}

export function skillFileOf(snapshot: Snapshot, subject: Subject, scope: Scope, uri: string): SkillFile | undefined {
  const named = parseSkillUri(uri);
  const skill = named && skillOf(snapshot, subject, scope, named.slug);
  const file = skill?.files.get(named?.path ?? "");
  return skill && file && { skill, file };
}
