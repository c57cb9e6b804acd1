import { z } from "zod";
import { CursorPagination, totalCount } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { listCatalog } from "#records/connectors";
import { Connector, presentEntry, SOURCES, STATUSES } from "./schema.ts";
import { readSyncedTools } from "./synced-tools.ts";
import { readUsage } from "./usage.ts";

/** Spec 4.2, D31. */
export const listConnectors = read({
  id: "listConnectors",
  route: "GET /api/connectors",
  tag: "Connectors",
  summary: "List connectors",
  description:
    "Built-in connectors first, then entries of the public MCP registry. Registry entries with the URL of a built-in connector are omitted.",
  scope: "admin:read",
  query: {
    source: choiceParameter("Only this catalog; both if omitted", SOURCES),
    status: choiceParameter("Only connectors with this status", STATUSES),
    category: searchParameter("Only built-in connectors in this category"),
    search: searchParameter("Only connectors whose ID, name, or description contains this text; case-insensitive"),
    featured: flagParameter("Only featured connectors"),
    include_tools: flagParameter("Include the known tools of built-in connectors"),
    include_usage: flagParameter("Include the number of MCP servers that use each connector"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({ data: z.array(Connector), pagination: CursorPagination, totalCount }),
  },
  refusals: [400],
  onCrash: "Failed to list connectors",
  async run({ db, query, context }) {
    const { cursor, limit } = query;
    const { entries, total } = await listCatalog(db, context.connectors, query, { offset: cursor, limit });
    const hasMore = cursor + limit < total;
    const synced = await readSyncedTools(db, entries);
    const usage = query.include_usage ? await readUsage(db, entries) : undefined;
    return {
      status: 200,
      body: {
        data: entries.map((entry) => ({
          ...presentEntry(entry, query.include_tools, context.baseUrl, synced(entry)),
          ...(usage ? { usage: usage(entry) } : {}),
        })),
        pagination: { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null },
        totalCount: total,
      },
    };
  },
});
