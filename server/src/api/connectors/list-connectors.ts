import { z } from "zod";
import { CursorPagination, totalCount } from "#api/http/answers";
import { read } from "#api/http/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/http/parameters";
import { listCatalog } from "#records/connectors";
import { Connector, presentEntry, SOURCES, STATUSES } from "./schema.ts";

/** Spec 4.2, D31. */
export const listConnectors = read({
  id: "listConnectors",
  route: "GET /api/connectors",
  tag: "Connectors",
  summary: "List connectors",
  description:
    "The catalog: built-in connectors first, then entries of the public MCP registry that no built-in one covers.",
  scope: "admin:read",
  query: {
    source: choiceParameter("Only this catalog; both without it", SOURCES),
    status: choiceParameter("Only connectors of this status", STATUSES),
    search: searchParameter("Only connectors whose id, name or description holds this text, in any case"),
    include_tools: flagParameter("Adds a summary of the tools of built-in connectors"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({ data: z.array(Connector), pagination: CursorPagination, totalCount }),
  },
  refusals: [400],
  onCrash: "Failed to list connectors",
  async run({ db, query, world }) {
    const { cursor, limit } = query;
    const { entries, total } = await listCatalog(db, world.connectors, query, { offset: cursor, limit });
    const hasMore = cursor + limit < total;
    return {
      status: 200,
      body: {
        data: entries.map((entry) => presentEntry(entry, query.include_tools, world.baseUrl)),
        pagination: { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null },
        totalCount: total,
      },
    };
  },
});
