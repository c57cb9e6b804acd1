import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockServer } from "#records/mcp-servers";
import { type PendingItem, pendingItems, type RejectedItem, rejectItems } from "#records/server-items";
import {
  findPendingTools,
  type PendingTool,
  type RejectedTool,
  rejectTools as rejectToolRows,
} from "#records/server-tools";
import { findInvisibleCharacters } from "#sync/invisible-characters";
import { auditedReview, findReviewed, isItem, reviewable, reviewedToolsBody } from "./reviewed-tools.ts";

/** GW-17: the digest ensures that only the reviewed definition is rejected. */
export const rejectTools = write({
  id: "rejectTools",
  route: "POST /api/mcp-servers/{slug}/tools/reject",
  tag: "MCP Servers",
  summary: "Reject new and changed tools of an MCP server",
  description:
    "A changed tool, prompt, resource, resource template, or instructions text keeps its accepted definition, and a new one stays hidden, until the server lists another definition. Setting `tool_policy` to `allow` ends all rejections.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  body: reviewedToolsBody("RejectTools", "reject"),
  bodyIsOptional: true,
  answers: {
    200: z.object({
      data: z.object({
        rejected: z
          .array(z.string())
          .meta({ description: "Definitions that were rejected", example: ["create_issue"] }),
      }),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to reject tools",
  async run({ tx, trail, path, body }) {
    const server = await lockServer(tx, path.slug);
    if (!server) throw notFound.mcpServer();
    const waiting = [
      ...(await findPendingTools(tx, server.id)).map((tool) => reviewable(tool, "tool")),
      ...(await pendingItems(tx, server.id)).map((item) => reviewable(item, item.kind)),
    ];
    const pending = body.tools === undefined ? waiting : findReviewed(waiting, body.tools);
    const tools = pending.filter((row) => !isItem(row));
    await rejectToolRows(tx, trail, server.id, tools.map(withAcceptedDefinition));
    await rejectItems(tx, trail, server.id, pending.filter(isItem).map(withAcceptedItem));
    trail.audit({
      operation: "rejectTools",
      target: { kind: "mcp-server", id: server.id, name: server.slug },
      after: { rejected: pending.map(auditedReview) },
    });
    return { status: 200, body: { data: { rejected: pending.map(({ name }) => name) } } };
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

function withAcceptedItem(item: PendingItem): RejectedItem {
  const { kind, upstream_name, digest, pinned_definition: definition, pinned_digest: pinnedDigest } = item;
  if (definition === null || pinnedDigest === null) return { kind, upstream_name, digest, accepted: null };
  const unseen = findInvisibleCharacters([upstream_name, JSON.parse(definition)]);
  return { kind, upstream_name, digest, accepted: { definition, digest: pinnedDigest, unseen } };
}
