import { Success } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockGroup, skillLinks } from "#records/groups";
import { findSkill } from "#records/skills";

/** Families 1. Succeeds for a skill that is not in the group, as for servers (D20). */
export const removeSkillFromGroup = write({
  id: "removeSkillFromGroup",
  route: "DELETE /api/groups/{name}/skills",
  tag: "Groups",
  summary: "Remove a skill from a group",
  description: "Succeeds if the skill is not in the group.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { slug: targetParameter("The skill's slug", "release-notes") },
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to remove skill from group",
  async run({ tx, trail, path, query }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const skill = await findSkill(tx, query.slug);
    if (!skill) throw notFound.skill();
    const wasLinked = await skillLinks.remove(tx, trail, { groupId: group.id, memberId: skill.id });
    trail.audit({
      operation: "removeSkillFromGroup",
      target: { kind: "group", id: group.id, name: group.name },
      before: { slugs: wasLinked ? [skill.slug] : [] },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
