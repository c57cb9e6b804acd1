import { z } from "zod";
import { Success } from "#api/kit/answers";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, unknownReferences } from "#lib/errors";
import { lockGroup, skillLinks } from "#records/groups";
import { findSkillsBySlug } from "#records/skills";

const MOST_SLUGS = 1_000;

export const AddSkillsBody = z
  .object({
    slugs: z
      .array(text(), {
        error: (issue) => (issue.input === undefined ? "slugs array cannot be empty" : "must be an array"),
      })
      .min(1, { error: "slugs array cannot be empty" })
      .max(MOST_SLUGS, { error: `must contain at most ${MOST_SLUGS} slugs` })
      .describe("Slugs of the skills to add. Skills already in the group are skipped"),
  })
  .meta({ id: "AddSkills", description: "Skills to add", example: { slugs: ["release-notes"] } });

/** Families 1. */
export const addSkillsToGroup = write({
  id: "addSkillsToGroup",
  route: "POST /api/groups/{name}/skills",
  tag: "Groups",
  summary: "Add skills to a group",
  description: "Adds all skills, or none if one is unknown. Skills already in the group are skipped.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  body: AddSkillsBody,
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to add skills to group",
  async run({ tx, trail, path, body }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const slugs = [...new Set(body.slugs)];
    const skills = await findSkillsBySlug(tx, slugs);
    const unknown = slugs.filter((slug) => !skills.some((skill) => skill.slug === slug));
    if (unknown.length > 0) throw unknownReferences("Skills", unknown);
    const links = skills.map((skill) => ({ groupId: group.id, memberId: skill.id }));
    await skillLinks.add(tx, trail, links);
    trail.audit({
      operation: "addSkillsToGroup",
      target: { kind: "group", id: group.id, name: group.name },
      after: { slugs },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
