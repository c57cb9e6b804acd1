import { z } from "zod";
import { action } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { findServer, findServerById } from "#records/mcp-servers";
import { enabledToolCounts } from "#records/server-tools";

/** D21: reads the upstream's tools now. What stands in the way is said in words, for the admin to mend. */
export const syncMcpServer = action({
  id: "syncMcpServer",
  route: "POST /api/mcp-servers/{slug}/sync",
  tag: "MCP Servers",
  summary: "Read an MCP server's tools now",
  description:
    "Tools are also read when a server is made or changed, and every 15 minutes. A server that cannot be read keeps the tools that it had.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  answers: {
    200: z.object({
      data: z.object({
        slug: z.string().meta({ description: "The server's slug", example: "github" }),
        tools_count: z.int().meta({ description: "How many of its tools are enabled now", example: 24 }),
        sync_error: z.string().nullable().describe("Why its tools could not be read; null when they could"),
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
