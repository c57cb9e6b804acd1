import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { notFound } from "#lib/errors";
import { deleteConnection } from "#records/connections";
import { findEnds } from "./find-ends.ts";
import { ENDS } from "./schema.ts";

export const deleteUserConnection = write({
  id: "deleteUserConnection",
  route: "DELETE /api/user/connection",
  tag: "User API",
  summary: "Disconnect a user from an MCP server",
  description: "What the user gave for the server is deleted for good.",
  scope: "connect:write",
  query: ENDS,
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete connection",
  async run({ tx, trail, query, context, afterCommit }) {
    const ends = await findEnds(tx, context, query);
    const gone = await deleteConnection(tx, trail, ends, "deleteUserConnection");
    if (!gone) throw notFound.connection();
    afterCommit(() => context.connect.revokeSoon(gone));
    return { status: 200, body: { message: "Connection deleted successfully" } };
  },
});
