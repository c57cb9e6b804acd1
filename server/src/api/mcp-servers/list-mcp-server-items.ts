import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findServer } from "#records/mcp-servers";
import { definedItemsOf } from "#records/server-items";
import { parseExactly } from "#sync/exact-json";

const title = z.string().describe("Title, or the name at the server");
const description = z.string().describe("Description of the server; may be empty");
const held = z.boolean().describe("Whether it is hidden from callers until an admin accepts it (`tool_policy`)");
const Items = z
  .object({
    prompts: z
      .array(z.object({ name: z.string().describe("Name at the server"), title, description, held }))
      .describe("Prompts, in the order of the server"),
    resources: z
      .array(z.object({ uri: z.string().describe("URI, or URI template"), title, description, held }))
      .describe("Resources, then resource templates, in the order of the server"),
  })
  .meta({ id: "McpServerItems", description: "Prompts and resources of a server, as of its last sync" });

/** For toolkits, which select prompts and resources by name. */
export const listMcpServerItems = read({
  id: "listMcpServerItems",
  route: "GET /api/mcp-servers/{slug}/items",
  tag: "MCP Servers",
  summary: "List the prompts and resources of an MCP server",
  description: "As of its last sync.",
  scope: "admin:read",
  path: { slug: pathParameter("The server's slug", "github") },
  answers: { 200: z.object({ data: Items }) },
  refusals: [404],
  onCrash: "Failed to retrieve items of MCP server",
  async run({ db, path }) {
    const server = await findServer(db, path.slug);
    if (!server) throw notFound.mcpServer();
    const items = (await definedItemsOf(db, server.id)).map(
      ({ kind, upstream_name: name, definition, held: isHeld }) => {
        // Stored definitions are JSON objects, written by the sync.
        const stored = parseExactly(definition) as { title?: unknown; name?: unknown; description?: unknown };
        const text = (...values: unknown[]) => values.find((value) => typeof value === "string") ?? "";
        return {
          kind,
          name,
          title: text(stored.title, stored.name, name),
          description: text(stored.description),
          held: isHeld,
        };
      },
    );
    const prompts = items.filter(({ kind }) => kind === "prompt").map(({ kind: _kind, ...prompt }) => prompt);
    const resources = ["resource", "resource_template"].flatMap((wanted) =>
      items.filter(({ kind }) => kind === wanted).map(({ kind: _kind, name: uri, ...item }) => ({ uri, ...item })),
    );
    return { status: 200, body: { data: { prompts, resources } } };
  },
});
