import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { UsableCommand, usableCommands } from "#api/presenters/user-commands";

/** Families 1 and 4. */
export const listMyCommands = read({
  id: "listMyCommands",
  route: "GET /api/me/commands",
  tag: "Me",
  summary: "List the commands that the caller can use",
  description: "Active commands of the caller's groups, by slug.",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(UsableCommand) }) },
  refusals: [],
  onCrash: "Failed to retrieve commands",
  async run({ db, visitor }) {
    const { user } = personOf(visitor);
    return { status: 200, body: { data: await usableCommands(db, user) } };
  },
});
