import { z } from "zod";
import { CursorPagination, pageOf } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { serverLogoUrl } from "#api/presenters/logo-url";
import { pendingRequestsOf } from "#records/access-requests";
import { listServers } from "#records/mcp-servers";
import { selectableToolsOf } from "#records/server-tools";
import { grantedTo, isRequestable, requireAccessRequests } from "./catalog.ts";

const CatalogServer = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    name: z.string().meta({ description: "Display name", example: "GitHub" }),
    description: z.string().meta({ description: "Purpose of the server; can be empty", example: "Issues" }),
    logo_url: z.string().meta({ description: "URL of a logo on this service", format: "uri" }),
    access: z.enum(["all", "some", "none"]).describe("Whether the caller can call all, some, or none of its tools"),
    tools_count: z.int().meta({ description: "Number of tools", example: 24 }),
    granted_tools: z.int().meta({ description: "Number of tools that the caller can call", example: 2 }),
    requested: z.boolean().describe("Whether a request of the caller is pending"),
  })
  .meta({ id: "CatalogServer", description: "A server of the organization, and whether the caller has access" });

/** F31. */
export const listMyCatalog = read({
  id: "listMyCatalog",
  route: "GET /api/me/catalog",
  tag: "Me",
  summary: "List the organization's active MCP servers, and whether the caller has access",
  description: "Ordered by name. Requires the setting `access_requests`.",
  scope: "any",
  callers: "people",
  query: {
    search: searchParameter("Only servers whose name or description contains this text, case-insensitive"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(CatalogServer), pagination: CursorPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve catalog",
  async run({ db, query, visitor, context }) {
    await requireAccessRequests(db);
    const { search, cursor, limit } = query;
    const filter = {
      status: "active",
      search,
      group: undefined,
      authType: undefined,
      needsAttention: undefined,
    } as const;
    const rows = await listServers(db, filter, { offset: cursor, limit: limit + 1, sort: "name" });
    const { page, hasMore } = pageOf(rows, limit);
    const servers = page.filter(isRequestable);
    const tools = await selectableToolsOf(
      db,
      servers.map(({ id }) => id),
    );
    const pending = new Set((await pendingRequestsOf(db, personOf(visitor).user.id)).map((row) => row.server_id));
    const granted = grantedTo(context, visitor);
    const data = servers.map((row) => {
      const { id, slug, name, description } = row;
      const available = (tools.get(id) ?? []).filter((tool) => tool.enabled && !tool.held);
      const { isReached, grants } = granted(id);
      const count = available.filter((tool) => grants(tool.upstream_name)).length;
      const access = !isReached ? "none" : count === available.length ? "all" : count === 0 ? "none" : "some";
      const counts = { tools_count: available.length, granted_tools: count, requested: pending.has(id) };
      return { slug, name, description, logo_url: serverLogoUrl(row, context.baseUrl), access, ...counts } as const;
    });
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    return { status: 200, body: { data, pagination } };
  },
});
