import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockServer } from "#records/mcp-servers";
import {
  findPendingTools,
  type PendingTool,
  type RejectedTool,
  rejectTools as rejectToolRows,
} from "#records/server-tools";
import { findInvisibleCharacters } from "#sync/invisible-characters";
import { findReviewed, reviewedToolsBody } from "./reviewed-tools.ts";

/** GW-17: the digest ensures that only the reviewed definition is rejected. */
export const rejectTools = write({
  id: "rejectTools",
  route: "POST /api/mcp-servers/{slug}/tools/reject",
  tag: "MCP Servers",
  summary: "Reject new and changed tools of an MCP server",
  description:
    "A changed tool keeps its accepted definition, and a new tool stays hidden, until the server lists another definition. Setting `tool_policy` to `allow` ends all rejections.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  body: reviewedToolsBody("RejectTools", "reject"),
  bodyIsOptional: true,
  answers: {
    200: z.object({
      data: z.object({
        rejected: z.array(z.string()).meta({ description: "Tools that were rejected", example: ["create_issue"] }),
      }),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to reject tools",
  async run({ tx, trail, path, body }) {
    const server = await lockServer(tx, path.slug);
    if (!server) throw notFound.mcpServer();
    const waiting = await findPendingTools(tx, server.id);
    const pending = body.tools === undefined ? waiting : findReviewed(waiting, body.tools);
    await rejectToolRows(tx, trail, server.id, pending.map(withAcceptedDefinition));
    trail.audit({
      operation: "rejectTools",
      target: { kind: "mcp-server", id: server.id, name: server.slug },
      after: { rejected: pending.map(({ slug, digest }) => ({ tool: slug, digest })) },
    });
    return { status: 200, body: { data: { rejected: pending.map(({ slug }) => slug) } } };
  },
});

function withAcceptedDefinition(tool: PendingTool): RejectedTool {
  const { upstream_name, slug, digest, pinned_definition: definition, pinned_digest: pinnedDigest } = tool;
  if (definition === null || pinnedDigest === null) return { upstream_name, slug, digest, accepted: null };
  // Stored definitions are JSON objects, written by the sync.
  const stored = JSON.parse(definition) as { title?: string; description?: string; annotations?: { title?: string } };
  const accepted = {
    definition,
    digest: pinnedDigest,
    title: stored.title || stored.annotations?.title || upstream_name,
    description: stored.description ?? "",
    unseen: findInvisibleCharacters(stored),
  };
  return { upstream_name, slug, digest, accepted };
}
