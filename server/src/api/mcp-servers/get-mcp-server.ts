import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { NO_TOKENS, tokensOfTools } from "#gateway/snapshot/tool-tokens";
import { notFound } from "#lib/errors";
import { findServer } from "#records/mcp-servers";
import { instructionsOf } from "#records/server-items";
import { listedToolsOf } from "#records/server-tools";
import { findUserById } from "#records/users";
import { McpServerDetail, presentDetail } from "./schema.ts";
import { linksOf } from "./server-links.ts";

/** D21. */
export const getMcpServer = read({
  id: "getMcpServer",
  route: "GET /api/mcp-servers/{slug}",
  tag: "MCP Servers",
  summary: "Get one MCP server with its settings and tools",
  description: "The only response with `auth_settings`. Secrets are never returned.",
  scope: "admin:read",
  path: { slug: pathParameter("The server's slug", "github") },
  answers: { 200: z.object({ data: McpServerDetail }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve MCP server",
  async run({ db, path, context }) {
    const row = await findServer(db, path.slug);
    if (!row) throw notFound.mcpServer();
    const syncUser = row.sync_user_id ? await findUserById(db, row.sync_user_id) : undefined;
    const entry = context.snapshots.current().serversById.get(row.id);
    const content = {
      tools: await listedToolsOf(db, row.id),
      tokens: entry ? tokensOfTools(entry.tools) : NO_TOKENS,
      instructions: await instructionsOf(db, row.id),
    };
    const links = await linksOf(context.databases, [row], context.clock.now());
    return { status: 200, body: { data: presentDetail(row, links, syncUser, content, context.baseUrl) } };
  },
});
