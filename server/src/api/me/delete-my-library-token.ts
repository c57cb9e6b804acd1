import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { notFound } from "#lib/errors";
import { deleteLibraryToken } from "#records/credentials";

export const deleteMyLibraryToken = write({
  id: "deleteMyLibraryToken",
  route: "DELETE /api/me/library-tokens",
  tag: "Me",
  summary: "Delete a token for git and scripts",
  description: "It stops working immediately.",
  scope: "any",
  callers: "people",
  query: { id: targetParameter("The ID of the token, from the list of tokens") },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete token",
  async run({ tx, trail, query, visitor }) {
    const { user } = personOf(visitor);
    const row = await deleteLibraryToken(tx, trail, { userId: user.id, id: query.id });
    if (!row) throw notFound.token();
    trail.audit({
      operation: "deleteMyLibraryToken",
      target: { kind: "user", id: user.id, name: user.email },
      before: { name: row.client_id ?? "", prefix: row.access_key },
    });
    return { status: 200, body: { message: "Token deleted successfully" } };
  },
});
