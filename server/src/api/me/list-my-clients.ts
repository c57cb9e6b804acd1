import { z } from "zod";
import { ConnectedClient, presentClient } from "#api/http/connected-client";
import { read } from "#api/http/operation";
import { personOf } from "#api/http/web-session";
import { grantsOfUser } from "#records/oauth-grants";

export const listMyClients = read({
  id: "listMyClients",
  route: "GET /api/me/clients",
  tag: "Me",
  summary: "List the MCP clients that the caller has connected, newest first",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(ConnectedClient) }) },
  refusals: [],
  onCrash: "Failed to retrieve clients",
  async run({ db, visitor, world }) {
    const grants = await grantsOfUser(db, personOf(visitor).user.id, world.clock.now());
    return { status: 200, body: { data: grants.map(presentClient) } };
  },
});
