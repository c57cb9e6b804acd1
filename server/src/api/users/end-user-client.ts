import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { endClientOf } from "#api/presenters/connected-client";
import { notFound } from "#lib/errors";
import { lockUser, mayManage } from "#records/users";

export const endUserClient = write({
  id: "endUserClient",
  route: "DELETE /api/users/clients",
  tag: "Users",
  summary: "Disconnect an MCP client of a user",
  description:
    "Its tokens stop working immediately. To disconnect all clients of a user, sign the user out everywhere.",
  scope: "admin:write",
  query: {
    email: targetParameter("The user's email, case-insensitive", "ada@example.com"),
    id: targetParameter("The ID of the client's connection, from the list of clients"),
  },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to disconnect client",
  async run({ tx, trail, query, requireScope }) {
    const user = await lockUser(tx, query.email);
    if (!user) throw notFound.user(query.email);
    if (mayManage(user.role)) requireScope("all");
    await endClientOf({ tx, trail }, user, query.id, "endUserClient");
    return { status: 200, body: { message: "Client disconnected successfully" } };
  },
});
