import { z } from "zod";
import { CursorPagination, totalCount } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findServer } from "#records/mcp-servers";
import { countPendingItems, type PendingItem, pendingItems } from "#records/server-items";
import { countPendingTools, type PendingTool, pendingTools } from "#records/server-tools";
import { findingsIn, ReviewFinding } from "./review-findings.ts";
import { CHANGE_KINDS, type Reviewable, reviewable } from "./reviewed-tools.ts";
import { Difference, differencesBetween } from "./tool-differences.ts";
import { BlockedBy } from "./tool-schema.ts";

export const ToolChange = z
  .object({
    kind: z.enum(CHANGE_KINDS).describe("What the definition describes"),
    tool: z.string().meta({
      description:
        "The part of the gateway name of a tool or prompt after `__`, the URI of a resource, a URI template, or `instructions`",
      example: "create_issue",
    }),
    upstream_name: z.string().meta({ description: "The name or URI at the upstream", example: "create_issue" }),
    change: z.enum(["new", "changed"]).describe("`new` if no definition was accepted before, else `changed`"),
    held: z
      .boolean()
      .describe(
        "Whether it is hidden from callers until it is accepted. Of held instructions, callers receive the accepted text",
      ),
    blocked_by: BlockedBy,
    digest: z.string().describe("Digest of the current definition, required to accept it"),
    accepted_digest: z.string().nullable().describe("Digest of the accepted definition; null if there is none"),
    invisible_characters: z
      .array(z.string())
      .meta({ description: "Invisible characters in the definition", example: ["U+200B"] }),
    findings: z
      .array(ReviewFinding)
      .describe(
        "Texts that guards object to: the enabled build-time guards without their webhooks, and the built-in ones that find instructions to the model",
      ),
    differences: z.array(Difference).describe("Differences between the accepted and the current definition"),
  })
  .meta({
    id: "ToolChange",
    description:
      "A tool, prompt, resource, resource template, or the server's instructions, if the definition differs from the accepted one",
  });

/** GW-17, D21. */
export const listToolChanges = read({
  id: "listToolChanges",
  route: "GET /api/mcp-servers/{slug}/tools/changes",
  tag: "MCP Servers",
  summary: "List new and changed tools of an MCP server",
  description:
    "Tools, prompts, resources, resource templates, and instructions of the server whose definition is not accepted yet, with the differences to the accepted definition.",
  scope: "admin:read",
  path: { slug: pathParameter("The server's slug", "github") },
  query: { cursor: offsetParameter("Zero-based offset of the first entry"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(ToolChange), pagination: CursorPagination, totalCount }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve tool changes",
  async run({ db, path, query: { cursor, limit }, context }) {
    const server = await findServer(db, path.slug);
    if (!server) throw notFound.mcpServer();
    const tools = await countPendingTools(db, server.id);
    const total = tools + (await countPendingItems(db, server.id));
    // Tools come first, so the page of items starts after them.
    const rows: Pending[] = (await pendingTools(db, server.id, { offset: cursor, limit })).map((tool) =>
      reviewable(tool, "tool"),
    );
    const rest = { offset: Math.max(0, cursor - tools), limit: limit - rows.length };
    for (const item of rest.limit > 0 ? await pendingItems(db, server.id, rest) : []) {
      rows.push(reviewable(item, item.kind));
    }
    const data: z.input<typeof ToolChange>[] = [];
    for (const row of rows) data.push(presentChange(row, await findingsIn(db, context, row)));
    const hasMore = cursor + limit < total;
    return {
      status: 200,
      body: {
        data,
        pagination: { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null },
        totalCount: total,
      },
    };
  },
});

type Pending = (PendingTool | PendingItem) & Reviewable;

function presentChange(row: Pending, findings: z.input<typeof ReviewFinding>[]): z.input<typeof ToolChange> {
  return {
    kind: row.kind,
    tool: row.name,
    upstream_name: row.upstream_name,
    change: row.pin,
    held: row.held,
    blocked_by: row.blocked_by,
    digest: row.digest,
    accepted_digest: row.pinned_digest,
    invisible_characters: row.unseen,
    findings,
    differences: differencesBetween(row.pinned_definition, row.definition),
  };
}
