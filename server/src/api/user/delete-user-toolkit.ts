import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { deleteOwnToolkit } from "#api/presenters/user-toolkits";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** Families 1 and 2. */
export const deleteUserToolkit = write({
  id: "deleteUserToolkit",
  route: "DELETE /api/user/toolkits",
  tag: "User API",
  summary: "Delete a toolkit of a user",
  scope: "connect:write",
  query: {
    email: USER_AND_SERVER.email,
    slug: targetParameter("The toolkit's slug", "triage"),
  },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete toolkit",
  async run({ tx, trail, query, context }) {
    const user = await findUser(tx, query.email);
    if (!user) throw notFound.user(query.email);
    await deleteOwnToolkit({ tx, trail, context, user, operation: "deleteUserToolkit" }, query.slug);
    return { status: 200, body: { message: "Toolkit deleted successfully" } };
  },
});
