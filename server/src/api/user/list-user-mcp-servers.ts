import { z } from "zod";
import { CursorPagination } from "#api/http/answers";
import { serverLogoUrl } from "#api/http/logo-url";
import { read } from "#api/http/operation";
import { limitParameter, offsetParameter } from "#api/http/parameters";
import { notFound } from "#lib/errors";
import { listConnectionsOfUser } from "#records/connections";
import { findServersBySlug } from "#records/mcp-servers";
import { findUser } from "#records/users";
import { ENDS, presentConnection, UserMcpServer } from "./schema.ts";

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
  answers: { 200: z.object({ data: z.array(UserMcpServer), pagination: CursorPagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve MCP servers of user",
  async run({ db, query, world }) {
    const { email, cursor, limit } = query;
    const user = await findUser(db, email);
    const caller = user && world.snapshots.current().usersById.get(user.id);
    if (!caller) throw notFound.user(email);
    const { servers } = world.snapshots.viewFor(caller);
    const page = servers.slice(cursor, cursor + limit);
    const rows = await findServersBySlug(
      db,
      page.map(({ slug }) => slug),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const connections = new Map((await listConnectionsOfUser(db, user.id)).map((row) => [row.server_id, row]));
    const data = page.flatMap(({ id, toolCount }) => {
      const row = byId.get(id);
      if (!row) return [];
      const { slug, name, description, auth_type } = row;
      const connection = presentConnection({ user, server: row, connection: connections.get(id) }, world.vault);
      const logo_url = serverLogoUrl(row, world.baseUrl);
      return [{ slug, name, description, logo_url, auth_type, tools_count: toolCount, connection }];
    });
    const hasMore = cursor + limit < servers.length;
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    return { status: 200, body: { data, pagination } };
  },
});
