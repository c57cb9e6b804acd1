import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound, unknownReferences } from "#lib/errors";
import { findServer } from "#records/mcp-servers";
import { findListedTool } from "#records/server-tools";
import { parseExactly } from "#sync/exact-json";
import { AnyTool, presentAnyTool } from "./tool-schema.ts";

const schema = z.record(z.string(), z.unknown());
const ToolDefinition = AnyTool.extend({
  gateway_name: z.string().meta({ description: "The tool's name at the gateway", example: "github__create_issue" }),
  input_schema: schema.describe("JSON Schema of the arguments"),
  output_schema: schema.nullable().describe("JSON Schema of the structured result; null if not declared"),
}).meta({ id: "ToolDefinition", description: "A tool with its schemas" });

export const getToolDefinition = read({
  id: "getToolDefinition",
  route: "GET /api/mcp-servers/{slug}/tools/definition",
  tag: "MCP Servers",
  summary: "Get the definition of one tool",
  description: "Includes disabled tools and tools held for review.",
  scope: "admin:read",
  path: { slug: pathParameter("The server's slug", "github") },
  query: { tool: targetParameter("The part of the tool's gateway name after `__`", "create_issue") },
  answers: { 200: z.object({ data: ToolDefinition }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve tool definition",
  async run({ db, path, query }) {
    const server = await findServer(db, path.slug);
    if (!server) throw notFound.mcpServer();
    const tool = await findListedTool(db, server.id, query.tool);
    if (!tool) throw unknownReferences("Tools", [query.tool]);
    // Stored definitions are JSON objects with an input schema, written by the sync.
    const { inputSchema, outputSchema } = parseExactly(tool.definition) as Stored;
    const data = {
      ...presentAnyTool(tool),
      gateway_name: `${server.slug}__${tool.slug}`,
      input_schema: inputSchema,
      output_schema: outputSchema ?? null,
    };
    return { status: 200, body: { data } };
  },
});

interface Stored {
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
}
