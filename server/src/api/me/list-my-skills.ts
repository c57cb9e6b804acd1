import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { UsableSkill, usableSkills } from "#api/presenters/user-skills";

/** Families 1 and 3. */
export const listMySkills = read({
  id: "listMySkills",
  route: "GET /api/me/skills",
  tag: "Me",
  summary: "List the skills that the caller can use",
  description: "Active skills of the caller's groups, by name.",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(UsableSkill) }) },
  refusals: [],
  onCrash: "Failed to retrieve skills",
  async run({ db, visitor, context }) {
    const { user } = personOf(visitor);
    return { status: 200, body: { data: await usableSkills(db, context, user) } };
  },
});
