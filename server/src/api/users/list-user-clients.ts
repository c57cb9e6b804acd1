import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { ConnectedClient, presentClient } from "#api/presenters/connected-client";
import { notFound } from "#lib/errors";
import { grantsOfUser } from "#records/oauth-grants";
import { findUser } from "#records/users";

export const listUserClients = read({
  id: "listUserClients",
  route: "GET /api/users/clients",
  tag: "Users",
  summary: "List a user's connected MCP clients, newest first",
  scope: "admin:read",
  query: { email: targetParameter("The user's email, case-insensitive", "ada@example.com") },
  answers: { 200: z.object({ data: z.array(ConnectedClient) }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve clients",
  async run({ db, query, context }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    const grants = await grantsOfUser(db, user.id, context.clock.now());
    return { status: 200, body: { data: grants.map(presentClient) } };
  },
});
