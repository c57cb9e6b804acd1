import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter } from "#api/kit/parameters";
import { listServersOf, UserMcpServers } from "#api/presenters/user-servers";
import { FOR, subjectOf } from "./find-my-server.ts";

export const listMyMcpServers = read({
  id: "listMyMcpServers",
  route: "GET /api/me/mcp-servers",
  tag: "Me",
  summary: "List the MCP servers that the caller can access, with connection status",
  description:
    'Ordered by slug. To connect to a server with `proxy-oauth`, open `connect_url` followed by `/start` in the browser, or by `/start?view=popup` in a popup. The popup posts `{outcome: "connected" | "failed"}` to the broadcast channel `gatehouse-connect` and closes if it succeeded. If the list was requested with `for`, add `for` to that URL too.',
  scope: "any",
  callers: "people",
  query: { for: FOR, cursor: offsetParameter("Zero-based offset of the first entry"), limit: limitParameter },
  answers: { 200: UserMcpServers },
  refusals: [400, 404],
  onCrash: "Failed to retrieve MCP servers",
  async run({ db, query, visitor, context }) {
    const user = await subjectOf(db, visitor, query.for);
    return { status: 200, body: await listServersOf(db, context, user, query) };
  },
});
