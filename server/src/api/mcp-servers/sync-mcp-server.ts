import { z } from "zod";
import { action } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { findServer, findServerById } from "#records/mcp-servers";
import { enabledToolCounts } from "#records/server-tools";

/** D21. */
export const syncMcpServer = action({
  id: "syncMcpServer",
  route: "POST /api/mcp-servers/{slug}/sync",
  tag: "MCP Servers",
  summary: "Sync the tools of an MCP server",
  description:
    "Tools are also synced when a server is created or changed, and every 15 minutes by default. If the sync fails, the server keeps its tools.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  answers: {
    200: z.object({
      data: z.object({
        slug: z.string().meta({ description: "The server's slug", example: "github" }),
        tools_count: z.int().meta({ description: "Number of enabled tools after the sync", example: 24 }),
        sync_error: z.string().nullable().describe("Why the sync failed; null if it succeeded"),
      }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to sync MCP server",
  async run({ db, path, context }) {
    const server = await findServer(db, path.slug);
    if (!server) throw notFound.mcpServer();
    if (server.upstream_url === null) throw new Refusal("unknown-reference", "MCP server has no upstream yet");
    const { error } = await context.syncNow(server.id);
    const now = await findServerById(db, server.id);
    if (!now) throw notFound.mcpServer();
    const counts = await enabledToolCounts(db, [server.id]);
    const data = { slug: now.slug, tools_count: counts.get(server.id) ?? 0, sync_error: error ?? null };
    return { status: 200, body: { data } };
  },
});
