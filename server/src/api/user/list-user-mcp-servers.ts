import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter } from "#api/kit/parameters";
import { listServersOf, UserMcpServers } from "#api/presenters/user-servers";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { USER_AND_SERVER } from "./schema.ts";

/** For applications that embed Gatehouse and show their users which servers need a connection. */
export const listUserMcpServers = read({
  id: "listUserMcpServers",
  route: "GET /api/user/mcp-servers",
  tag: "User API",
  summary: "List the MCP servers that a user can access, with connection status",
  description: "Ordered by slug. Only servers that a group gives the user access to.",
  scope: "connect:read",
  query: {
    email: USER_AND_SERVER.email,
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
  },
  answers: { 200: UserMcpServers },
  refusals: [400, 404],
  onCrash: "Failed to retrieve MCP servers of user",
  async run({ db, query, context }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    return { status: 200, body: await listServersOf(db, context, user, query) };
  },
});
