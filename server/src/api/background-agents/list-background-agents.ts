import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { countAgents, listAgents } from "#records/agents";
import { presentAgents } from "./present.ts";
import { AGENT_STATUSES, Agent } from "./schema.ts";

/** Families 7. */
export const listBackgroundAgents = read({
  id: "listBackgroundAgents",
  route: "GET /api/background-agents",
  tag: "Background Agents",
  summary: "List agents",
  description: "Oldest first.",
  scope: "admin:read",
  query: {
    status: choiceParameter("Only agents with this status", AGENT_STATUSES),
    search: searchParameter("Only agents whose name, slug or description contains this text, case-insensitive"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({ data: z.array(Agent), pagination: CursorPagination, totalCount: totalCount.optional() }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve background agents",
  async run({ db, context, query: { status, search, cursor, limit, includeTotal } }) {
    const filter = { status, search };
    const { page, hasMore } = pageOf(await listAgents(db, filter, { offset: cursor, limit: limit + 1 }), limit);
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = includeTotal ? { totalCount: await countAgents(db, filter) } : {};
    return { status: 200, body: { data: await presentAgents(db, page, context), pagination, ...total } };
  },
});
