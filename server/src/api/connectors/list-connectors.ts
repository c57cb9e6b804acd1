import { z } from "zod";
import { CursorPagination, totalCount } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { type CatalogEntry, listCatalog } from "#records/connectors";
import { countServersUsing, type UsageCount } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import { Connector, presentEntry, SOURCES, STATUSES } from "./schema.ts";

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
    const usage = query.include_usage ? await readUsage(db, entries) : undefined;
    return {
      status: 200,
      body: {
        data: entries.map((entry) => ({
          ...presentEntry(entry, query.include_tools, context.baseUrl),
          ...(usage ? { usage: usage(entry) } : {}),
        })),
        pagination: { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null },
        totalCount: total,
      },
    };
  },
});

/** Built-in connectors are matched by ID, registry entries by the URL of the servers (D31). */
async function readUsage(db: MainDb, entries: readonly CatalogEntry[]): Promise<(entry: CatalogEntry) => Usage> {
  const keys = entries.map((entry) => ({ source: entry.source, key: usedBy(entry) }));
  const of = (source: CatalogEntry["source"]) => keys.flatMap((each) => (each.source === source ? [each.key] : []));
  const counts = await countServersUsing(db, { connectorIds: of("connector"), endpointKeys: of("registry") });
  return (entry) => counts.get(usedBy(entry)) ?? { count: 0, slug: null };
}

type Usage = UsageCount | { readonly count: 0; readonly slug: null };

function usedBy(entry: CatalogEntry): string {
  return entry.source === "connector" ? entry.connector.id : entry.entry.endpoint_key;
}
