import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/http/answers";
import { type FieldTree, type KnownFields, readFields, selectFields } from "#api/http/fields";
import { read } from "#api/http/operation";
import {
  choiceParameter,
  flagParameter,
  limitParameter,
  offsetParameter,
  searchParameter,
  textParameter,
} from "#api/http/parameters";
import { invalid } from "#lib/errors";
import { findGroup } from "#records/groups";
import { countServers, listServers, type ServerFilter } from "#records/mcp-servers";
import { enabledToolCounts, enabledToolsOf } from "#records/server-tools";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/tables";
import { McpServerSelection, presentServer, presentTool } from "./schema.ts";

/** A server may bring 1,000 tools along: each turn of the event loop takes the tools of so many, and then lets calls pass. */
const SERVERS_PER_TURN = 20;

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
};

/** Spec 4.1. */
export const listMcpServers = read({
  id: "listMcpServers",
  route: "GET /api/mcp-servers",
  tag: "MCP Servers",
  summary: "List MCP servers",
  description:
    "Oldest first. With `fields`, entries hold only what that names: `fields=slug,tools(name)` answers each slug with the names of its tools.",
  scope: "admin:read",
  headers: { "x-service-group": textParameter("Only servers that this group can use; its name, in any case") },
  query: {
    status: choiceParameter("Only servers of this status", ["active", "draft"]),
    search: searchParameter("Only servers whose name or description holds this text, in any case"),
    group: searchParameter(
      "Only servers in the group of this name, in any case, drafts included; in an unknown one there are none",
    ),
    include_tools: flagParameter("Adds each server's enabled tools; use fields=tools(...) instead", {
      since: "2026-11-15",
      sunset: "2027-06-01",
    }),
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
  async run({ db, query, headers, world }) {
    const { cursor, limit } = query;
    const tree = query.fields ? readFields(query.fields, KNOWN) : undefined;
    const filter = await filterOf(db, query, headers["x-service-group"]);
    const rows = filter ? await listServers(db, filter, { offset: cursor, limit: limit + 1 }) : [];
    const { page, hasMore } = pageOf(rows, limit);
    const withTools = tree ? tree.has("tools") : query.include_tools;
    const data = await present(db, page, withTools, tree, world.baseUrl);
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = query.includeTotal ? { totalCount: filter ? await countServers(db, filter) : 0 } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});

/** Undefined: the group is unknown, and the list is empty rather than an error (Spec 4.1). */
async function filterOf(
  db: MainDb,
  { status, search, group: holder }: Record<"search" | "group", string | undefined> & Pick<ServerFilter, "status">,
  caller: string | undefined,
): Promise<ServerFilter | undefined> {
  const name = caller ?? holder;
  if (name === undefined) return { status, search, group: undefined };
  if (caller !== undefined && holder !== undefined) throw invalid("group", "not together with x-service-group");
  const group = await findGroup(db, name);
  const showsDrafts = caller === undefined || group?.show_draft_mcps === true;
  return group && { status, search, group: { id: group.id, showsDrafts } };
}

async function present(
  db: MainDb,
  rows: readonly McpServerRow[],
  withTools: boolean,
  tree: FieldTree | undefined,
  baseUrl: string,
): Promise<z.input<typeof McpServerSelection>[]> {
  const ids = rows.map((row) => row.id);
  const counts = !tree || tree.has("tools_count") ? await enabledToolCounts(db, ids) : new Map<string, number>();
  const entries: z.input<typeof McpServerSelection>[] = [];
  for (let start = 0; start < rows.length; start += SERVERS_PER_TURN) {
    const turn = rows.slice(start, start + SERVERS_PER_TURN);
    const tools = withTools ? await toolsByServer(db, turn) : undefined;
    for (const row of turn) {
      const entry = presentServer(row, counts.get(row.id) ?? 0, baseUrl);
      const whole = tools ? { ...entry, tools: (tools.get(row.id) ?? []).map(presentTool) } : entry;
      entries.push(tree ? selectFields(whole, tree) : whole);
    }
  }
  return entries;
}

async function toolsByServer(db: MainDb, rows: readonly McpServerRow[]) {
  const tools = await enabledToolsOf(
    db,
    rows.map((row) => row.id),
  );
  return Map.groupBy(tools, (tool) => tool.server_id);
}
