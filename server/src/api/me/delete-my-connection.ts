import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { notFound } from "#lib/errors";
import { deleteConnection } from "#records/connections";
import { findMyEnds, MY_ENDS } from "./my-ends.ts";

export const deleteMyConnection = write({
  id: "deleteMyConnection",
  route: "DELETE /api/me/connection",
  tag: "Me",
  summary: "Disconnect the caller from an MCP server",
  description: "What the caller gave for the server is deleted for good, and revoked there where the server can.",
  scope: "any",
  callers: "people",
  query: MY_ENDS,
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete connection",
  async run({ tx, trail, query, visitor, context, afterCommit }) {
    const ends = await findMyEnds(tx, context, visitor, query);
    const gone = await deleteConnection(tx, trail, ends, "deleteMyConnection");
    if (!gone) throw notFound.connection();
    afterCommit(() => context.connect.revokeSoon(gone));
    return { status: 200, body: { message: "Connection deleted successfully" } };
  },
});
