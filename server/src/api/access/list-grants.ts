import { z } from "zod";
import { CursorPagination, pageOf } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { Grant, presentGrants } from "#api/presenters/grants";
import { notFound } from "#lib/errors";
import { findGroup, listGrants as listServerGrants } from "#records/groups";
import { findServer } from "#records/mcp-servers";

/** F9. */
export const listGrants = read({
  id: "listGrants",
  route: "GET /api/access/grants",
  tag: "Access",
  summary: "List which tools of which servers groups grant",
  description: "One entry for each server in each group, ordered by group and server.",
  scope: "admin:read",
  query: {
    group: searchParameter("Only this group. Group name, case-insensitive"),
    server: searchParameter("Only this server, by slug"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(Grant), pagination: CursorPagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve grants",
  async run({ db, query }) {
    const { cursor, limit } = query;
    const group = query.group === undefined ? undefined : await findGroup(db, query.group);
    if (query.group !== undefined && !group) throw notFound.group();
    const server = query.server === undefined ? undefined : await findServer(db, query.server);
    if (query.server !== undefined && !server) throw notFound.mcpServer();
    const filter = { groupId: group?.id, serverId: server?.id };
    const { page, hasMore } = pageOf(await listServerGrants(db, filter, { offset: cursor, limit: limit + 1 }), limit);
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    return { status: 200, body: { data: await presentGrants(db, page), pagination } };
  },
});
