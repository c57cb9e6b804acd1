import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter } from "#api/kit/parameters";
import { listServersOf, UserMcpServers } from "#api/presenters/user-servers";
import { FOR, subjectOf } from "./my-ends.ts";

export const listMyMcpServers = read({
  id: "listMyMcpServers",
  route: "GET /api/me/mcp-servers",
  tag: "Me",
  summary: "List the MCP servers that the caller reaches, and how they stand with each",
  description:
    'By slug. To connect to a server with `proxy-oauth`, the browser opens `connect_url` with `/start` behind it, in a window of its own with `/start?view=popup`: that window ends on a page that tells all of ours what came of it, on the broadcast channel `gatehouse-connect`, as `{outcome: "connected" | "failed"}`, and closes itself when it worked. With `for` in the list, `for` belongs into that address too.',
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
