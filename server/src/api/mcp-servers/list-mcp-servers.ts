import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { type FieldTree, type KnownFields, readFields, selectFields } from "#api/kit/fields";
import { read } from "#api/kit/operation";
import {
  choiceParameter,
  flagParameter,
  limitParameter,
  offsetParameter,
  searchParameter,
  textParameter,
} from "#api/kit/parameters";
import { invalid } from "#lib/errors";
import { FAILING_MS, failingServers } from "#records/calls";
import { findGroup } from "#records/groups";
import { countServers, listServers, type ServerFilter } from "#records/mcp-servers";
import { enabledToolCounts, enabledToolsOf, readEnabledTools } from "#records/server-tools";
import type { MainDb } from "#storage/database";
import { AUTH_TYPES, type McpServerRow } from "#storage/server-tables";
import { McpServerSelection, presentServer, presentState } from "./schema.ts";
import { linksOf } from "./server-links.ts";

/** A server can have 1,000 tools, so only this many servers are read in one query and processed per turn of the event loop. */
const SERVERS_PER_QUERY = 50;
const SERVERS_PER_TURN = 10;

const KNOWN: KnownFields = {
  slug: true,
  name: true,
  description: true,
  status: true,
  logo_url: true,
  auth_type: true,
  tools_count: true,
  is_local_mcp: true,
  connection: { url: true, transport: true },
  tools: { name: true, slug: true, description: true },
  needs_setup: true,
  has_shared_credential: true,
  oauth_change_pending: true,
  tools_changed_count: true,
  tools_synced_at: true,
  sync_error: true,
  groups: true,
  connections: { connected: true, reconnect_needed: true },
  users_count: true,
  recent_calls: { last_at: true, calls: true, failed: true, median_ms: true },
  health: { status: true, cause: true, message: true, since: true },
};
const DETAILS = [
  ...["needs_setup", "tools_changed_count", "tools_synced_at", "sync_error", "groups", "connections"],
  ...["users_count", "recent_calls", "health", "has_shared_credential", "oauth_change_pending"],
];

/** Spec 4.1. */
export const listMcpServers = read({
  id: "listMcpServers",
  route: "GET /api/mcp-servers",
  tag: "MCP Servers",
  summary: "List MCP servers",
  description:
    "Oldest first unless `sort` is set. With `fields`, entries contain only the named fields: `fields=slug,tools(name)` returns each slug with the names of its tools.",
  scope: "admin:read",
  headers: { "x-service-group": textParameter("Only servers that this group can use. Group name, case-insensitive") },
  query: {
    status: choiceParameter("Only servers with this status", ["active", "draft"]),
    search: searchParameter("Only servers whose name or description contains this text, case-insensitive"),
    group: searchParameter(
      "Only servers in this group, including drafts. Group name, case-insensitive; an unknown group has no servers",
    ),
    include_tools: flagParameter("Adds each server's enabled tools; use fields=tools(...) instead", {
      since: "2026-11-15",
      sunset: "2027-06-01",
    }),
    auth_type: choiceParameter("Only servers with this authentication", AUTH_TYPES),
    needs_attention: flagParameter(
      "Only servers that need setup, could not be synced, have failing calls, have tools to review, or have users who must reconnect",
    ),
    include_details: flagParameter(
      "Adds health, status fields, groups, the number of users with access and of connected users, and a summary of recent calls",
    ),
    sort: choiceParameter("Sort by creation time (default), name, number of tools, or last sync", [
      "created",
      "name",
      "tools",
      "synced",
    ]),
    order: choiceParameter("Ascending (default) or descending", ["asc", "desc"]),
    fields: textParameter("Comma-separated fields; nested ones in parentheses, such as tools(name,slug)"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({
      data: z.array(McpServerSelection),
      pagination: CursorPagination,
      totalCount: totalCount.optional(),
    }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve MCP servers",
  async run({ db, query, headers, context }) {
    const { cursor, limit, sort = "created", order = "asc" } = query;
    const tree = query.fields ? readFields(query.fields, KNOWN) : undefined;
    const filter = await filterOf(db, query, headers["x-service-group"], context);
    const rows = filter ? await listServers(db, filter, { offset: cursor, limit: limit + 1, sort, order }) : [];
    const { page, hasMore } = pageOf(rows, limit);
    const withTools = tree ? tree.has("tools") : query.include_tools;
    const withDetails = tree ? DETAILS.some((name) => tree.has(name)) : query.include_details;
    const data = await present(context, db, page, { withTools, withDetails, tree });
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = query.includeTotal ? { totalCount: filter ? await countServers(db, filter) : 0 } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});

/** Returns undefined if the group is unknown; the list is then empty (Spec 4.1). */
async function filterOf(
  db: MainDb,
  query: Pick<ServerFilter, "status" | "search"> & {
    readonly auth_type: ServerFilter["authType"];
    readonly needs_attention: boolean;
    readonly group: string | undefined;
  },
  caller: string | undefined,
  { databases, clock }: Pick<ApiContext, "databases" | "clock">,
): Promise<ServerFilter | undefined> {
  const { status, search, auth_type: authType, group: holder } = query;
  const needsAttention = query.needs_attention
    ? { failing: await failingServers(databases.calls, clock.now() - FAILING_MS) }
    : undefined;
  const filter = { status, search, authType, needsAttention, group: undefined };
  const name = caller ?? holder;
  if (name === undefined) return filter;
  if (caller !== undefined && holder !== undefined) throw invalid("group", "not together with x-service-group");
  const group = await findGroup(db, name);
  return group && { ...filter, group: { id: group.id, onlyAccessible: caller !== undefined } };
}

async function present(
  { baseUrl, databases, clock, nextTurn }: Pick<ApiContext, "baseUrl" | "databases" | "clock" | "nextTurn">,
  db: MainDb,
  rows: readonly McpServerRow[],
  { withTools, withDetails, tree }: { withTools: boolean; withDetails: boolean; tree: FieldTree | undefined },
): Promise<z.input<typeof McpServerSelection>[]> {
  const ids = rows.map((row) => row.id);
  const counts = await enabledToolCounts(db, !tree || tree.has("tools_count") ? ids : []);
  const links = withDetails ? await linksOf(databases, rows, clock.now()) : undefined;
  const entries: z.input<typeof McpServerSelection>[] = [];
  let tools: ReadonlyMap<string, string> | undefined;
  for (let start = 0; start < rows.length; start += SERVERS_PER_TURN) {
    if (start > 0) await nextTurn();
    if (withTools && start % SERVERS_PER_QUERY === 0) {
      tools = await enabledToolsOf(db, ids.slice(start, start + SERVERS_PER_QUERY));
    }
    const turn = rows.slice(start, start + SERVERS_PER_TURN);
    const wholes = turn.map((row) => ({
      ...presentServer(row, counts.get(row.id) ?? 0, baseUrl),
      ...(links && presentState(row, links)),
      ...(tools && { tools: readEnabledTools(tools.get(row.id) ?? "[]") }),
    }));
    entries.push(...(tree ? wholes.map((whole) => selectFields(whole, tree)) : wholes));
  }
  return entries;
}
