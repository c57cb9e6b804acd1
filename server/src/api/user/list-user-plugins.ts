import { z } from "zod";
import { read } from "#api/kit/operation";
import { UsablePlugin, usablePlugins } from "#api/presenters/user-plugins";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 5. */
export const listUserPlugins = read({
  id: "listUserPlugins",
  route: "GET /api/user/plugins",
  tag: "User API",
  summary: "List the plugins that a user can install",
  description: "Active plugins of the user's groups, by slug.",
  scope: "connect:read",
  query: { email: USER_AND_SERVER.email },
  answers: { 200: z.object({ data: z.array(UsablePlugin) }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve plugins",
  async run({ db, query, context }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    return { status: 200, body: { data: await usablePlugins(db, user, context) } };
  },
});
