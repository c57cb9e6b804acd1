import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { notFound } from "#lib/errors";
import { deleteConnection } from "#records/connections";
import { findMyServer, MY_SERVER } from "./find-my-server.ts";

export const deleteMyConnection = write({
  id: "deleteMyConnection",
  route: "DELETE /api/me/connection",
  tag: "Me",
  summary: "Disconnect the caller from an MCP server",
  description:
    "Deletes the caller's stored token or API key for the server, and revokes the token at the server if it supports revocation.",
  scope: "any",
  callers: "people",
  query: MY_SERVER,
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete connection",
  async run({ tx, trail, query, visitor, context, afterCommit }) {
    const target = await findMyServer(tx, context, visitor, query);
    const gone = await deleteConnection(tx, trail, target, "deleteMyConnection");
    if (!gone) throw notFound.connection();
    afterCommit(() => context.connect.revokeSoon(gone));
    return { status: 200, body: { message: "Connection deleted successfully" } };
  },
});
