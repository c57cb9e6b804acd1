import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockServer } from "#records/mcp-servers";
import { acceptItems, itemsOf } from "#records/server-items";
import { acceptTools as acceptToolRows, listedToolsOf } from "#records/server-tools";
import { auditedReview, findReviewed, isItem, reviewable, reviewedToolsBody } from "./reviewed-tools.ts";

/** GW-17: the digest ensures that only the reviewed definition is accepted. */
export const acceptTools = write({
  id: "acceptTools",
  route: "POST /api/mcp-servers/{slug}/tools/accept",
  tag: "MCP Servers",
  summary: "Accept new and changed tools of an MCP server",
  description:
    "Tools, prompts, resources, resource templates, and instructions held for review become available to callers immediately.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  body: reviewedToolsBody("AcceptTools", "accept"),
  bodyIsOptional: true,
  answers: {
    200: z.object({
      data: z.object({
        accepted: z.array(z.string()).meta({
          description: "Definitions that were new or changed and are now accepted",
          example: ["create_issue"],
        }),
      }),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to accept tools",
  async run({ tx, trail, path, body }) {
    const server = await lockServer(tx, path.slug);
    if (!server) throw notFound.mcpServer();
    const listed = [
      ...(await listedToolsOf(tx, server.id)).map((tool) => reviewable(tool, "tool")),
      ...(await itemsOf(tx, server.id)).map((item) => reviewable(item, item.kind)),
    ];
    const requested = body.tools === undefined ? listed : findReviewed(listed, body.tools);
    const waiting = requested.filter(({ pin }) => pin !== "accepted");
    const tools = waiting.filter((row) => !isItem(row)).map(({ upstream_name }) => upstream_name);
    await acceptToolRows(tx, trail, server.id, tools);
    await acceptItems(tx, trail, server.id, waiting.filter(isItem));
    trail.audit({
      operation: "acceptTools",
      target: { kind: "mcp-server", id: server.id, name: server.slug },
      after: { accepted: waiting.map(auditedReview) },
    });
    return { status: 200, body: { data: { accepted: waiting.map(({ name }) => name) } } };
  },
});
