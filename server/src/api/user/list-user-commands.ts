import { z } from "zod";
import { read } from "#api/kit/operation";
import { UsableCommand, usableCommands } from "#api/presenters/user-commands";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 4. */
export const listUserCommands = read({
  id: "listUserCommands",
  route: "GET /api/user/commands",
  tag: "User API",
  summary: "List the commands that a user can use",
  description: "Active commands of the user's groups, by slug.",
  scope: "connect:read",
  query: { email: USER_AND_SERVER.email },
  answers: { 200: z.object({ data: z.array(UsableCommand) }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve commands",
  async run({ db, query }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    return { status: 200, body: { data: await usableCommands(db, user) } };
  },
});
