/** Which skills a subject can use. */

import { parseSkillUri } from "#lib/skill-uri";
import { reachOf } from "./own-access.ts";
import type { Scope } from "./scope.ts";
import type { Snapshot } from "./shape.ts";
import type { SkillEntry, SkillFileEntry } from "./skills.ts";
import type { Subject } from "./toolkit-access.ts";

export interface SkillFile {
  readonly skill: SkillEntry;
  readonly file: SkillFileEntry;
}

/** Ordered by slug. */
export function skillsOf(snapshot: Snapshot, subject: Subject, scope: Scope): SkillEntry[] {
  if (snapshot.skills.sorted.length === 0) return [];
  return snapshot.skills.sorted.filter(reachOf(snapshot, subject, scope, "skills"));
}

/** Undefined for a skill that does not exist and for one out of reach (D26). */
export function skillOf(snapshot: Snapshot, subject: Subject, scope: Scope, slug: string): SkillEntry | undefined {
  const skill = snapshot.skills.bySlug.get(slug);
  return skill && reachOf(snapshot, subject, scope, "skills")(skill) ? skill : undefined;
}

export function skillFileOf(snapshot: Snapshot, subject: Subject, scope: Scope, uri: string): SkillFile | undefined {
  const named = parseSkillUri(uri);
  const skill = named && skillOf(snapshot, subject, scope, named.slug);
  const file = skill?.files.get(named?.path ?? "");
  return skill && file && { skill, file };
}
