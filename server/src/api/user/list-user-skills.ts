import { z } from "zod";
import { read } from "#api/kit/operation";
import { UsableSkill, usableSkills } from "#api/presenters/user-skills";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 3. */
export const listUserSkills = read({
  id: "listUserSkills",
  route: "GET /api/user/skills",
  tag: "User API",
  summary: "List the skills that a user can use",
  description: "Active skills of the user's groups, by name.",
  scope: "connect:read",
  query: { email: USER_AND_SERVER.email },
  answers: { 200: z.object({ data: z.array(UsableSkill) }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve skills",
  async run({ db, query, context }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    return { status: 200, body: { data: await usableSkills(db, context, user) } };
  },
});
