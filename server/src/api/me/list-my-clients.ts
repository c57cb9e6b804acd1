import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { ConnectedClient, presentClient } from "#api/presenters/connected-client";
import { grantsOfUser } from "#records/oauth-grants";

export const listMyClients = read({
  id: "listMyClients",
  route: "GET /api/me/clients",
  tag: "Me",
  summary: "List the caller's connected MCP clients, newest first",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(ConnectedClient) }) },
  refusals: [],
  onCrash: "Failed to retrieve clients",
  async run({ db, visitor, context }) {
    const grants = await grantsOfUser(db, personOf(visitor).user.id, context.clock.now());
    return { status: 200, body: { data: grants.map(presentClient) } };
  },
});
