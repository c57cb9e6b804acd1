/** The rules of skills in the access model (F7). */
import type { ModelToolkit } from "./access-toolkits.ts";

interface NamedGroup {
  readonly name: string;
  readonly members: ReadonlySet<number>;
}

export interface ModelSkill {
  readonly slug: string;
  readonly active: boolean;
  /** May contain deleted groups. */
  readonly groups: Set<NamedGroup>;
}

export const SKILLS = 2;
export const skillSlug = (at: number) => `skill${at}`;
const uriOf = (slug: string) => `skill://${slug}/SKILL.md`;

/** Every URI that could ever have identified a skill. */
export const EVERY_SKILL: readonly string[] = Array.from({ length: SKILLS }, (_, at) => uriOf(skillSlug(at)));

interface SkillView {
  readonly user: number;
  /** Those that exist. */
  readonly groups: readonly NamedGroup[];
  /** The selected one; null if the user cannot use it. */
  readonly toolkit: ModelToolkit | null | undefined;
}

/** The URIs of the skills that the user can list and read. */
export function reachedSkills(skills: readonly (ModelSkill | undefined)[], { user, groups, toolkit }: SkillView) {
  const isInGroup = (skill: ModelSkill) => groups.some((group) => skill.groups.has(group) && group.members.has(user));
  const isReached = (skill: ModelSkill) => {
    if (!toolkit) return toolkit === undefined && isInGroup(skill);
    return (toolkit.skills?.has(skill.slug) ?? false) && (toolkit.owner === undefined || isInGroup(skill));
  };
  return skills.flatMap((skill) => (skill?.active && isReached(skill) ? [uriOf(skill.slug)] : []));
}
