import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter } from "#api/kit/parameters";
import { listServersOf, UserMcpServers } from "#api/presenters/user-servers";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { ENDS } from "./schema.ts";

/** What an application that embeds us shows its user: which servers there are, and which are still to be connected. */
export const listUserMcpServers = read({
  id: "listUserMcpServers",
  route: "GET /api/user/mcp-servers",
  tag: "User API",
  summary: "List the MCP servers that a user reaches, and how they stand with each",
  description: "By slug. A server that the user does not reach through a group is not there.",
  scope: "connect:read",
  query: {
    email: ENDS.email,
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
