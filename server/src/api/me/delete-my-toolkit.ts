import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { deleteOwnToolkit } from "#api/presenters/user-toolkits";

/** Families 1 and 2. */
export const deleteMyToolkit = write({
  id: "deleteMyToolkit",
  route: "DELETE /api/me/toolkits",
  tag: "Me",
  summary: "Delete a toolkit of the caller",
  scope: "any",
  callers: "people",
  query: { slug: targetParameter("The toolkit's slug", "triage") },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete toolkit",
  async run({ tx, trail, query, context, visitor }) {
    const { user } = personOf(visitor);
    await deleteOwnToolkit({ tx, trail, context, user, operation: "deleteMyToolkit" }, query.slug);
    return { status: 200, body: { message: "Toolkit deleted successfully" } };
  },
});
