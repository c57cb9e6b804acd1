import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { endClientOf } from "#api/presenters/connected-client";

export const endMyClient = write({
  id: "endMyClient",
  route: "DELETE /api/me/clients",
  tag: "Me",
  summary: "Disconnect an MCP client of the caller",
  description: "Its tokens stop working immediately.",
  scope: "any",
  callers: "people",
  query: { id: targetParameter("The ID of the client's connection, from the list of clients") },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to disconnect client",
  async run({ tx, trail, query, visitor }) {
    await endClientOf({ tx, trail }, personOf(visitor).user, query.id, "endMyClient");
    return { status: 200, body: { message: "Client disconnected successfully" } };
  },
});
