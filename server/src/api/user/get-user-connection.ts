import { z } from "zod";
import { read } from "#api/kit/operation";
import { Connected, presentConnected } from "#api/presenters/user-connection";
import { findConnection } from "#records/connections";
import { findUserAndServer } from "./find-user-and-server.ts";
import { USER_AND_SERVER } from "./schema.ts";

export const getUserConnection = read({
  id: "getUserConnection",
  route: "GET /api/user/connection",
  tag: "User API",
  summary: "Check whether a user is connected to an MCP server",
  scope: "connect:read",
  query: USER_AND_SERVER,
  answers: { 200: z.object({ data: Connected }) },
  refusals: [400, 404],
  onCrash: "Failed to check connection",
  async run({ db, query, context }) {
    const { user, server } = await findUserAndServer(db, context, query);
    const connection = await findConnection(db, user.id, server.id);
    return { status: 200, body: { data: presentConnected({ user, server, connection }, context.vault) } };
  },
});
