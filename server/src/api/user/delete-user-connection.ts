import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { notFound } from "#lib/errors";
import { deleteConnection } from "#records/connections";
import { findUserAndServer } from "./find-user-and-server.ts";
import { USER_AND_SERVER } from "./schema.ts";

export const deleteUserConnection = write({
  id: "deleteUserConnection",
  route: "DELETE /api/user/connection",
  tag: "User API",
  summary: "Disconnect a user from an MCP server",
  description: "Deletes the user's stored token or API key for the server.",
  scope: "connect:write",
  query: USER_AND_SERVER,
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete connection",
  async run({ tx, trail, query, context, afterCommit }) {
    const target = await findUserAndServer(tx, context, query);
    const gone = await deleteConnection(tx, trail, target, "deleteUserConnection");
    if (!gone) throw notFound.connection();
    afterCommit(() => context.connect.revokeSoon(gone));
    return { status: 200, body: { message: "Connection deleted successfully" } };
  },
});
