import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { invalid, notFound, unknownReferences } from "#lib/errors";
import { lockServer } from "#records/mcp-servers";
import { type ListedTool, listedToolsOf, switchTools } from "#records/server-tools";
import { McpServerTools, presentAnyTool } from "./tool-schema.ts";

const MOST_TOOLS = 1_000;

const toolNames = z
  .array(text(), { error: "must be an array" })
  .max(MOST_TOOLS, { error: `must hold at most ${MOST_TOOLS} tools` })
  .default([]);

export const UpdateMcpServerToolsBody = z
  .object({
    enable: toolNames.describe("Tools to enable, by slug or upstream name"),
    disable: toolNames.describe("Tools to disable, by slug or upstream name"),
  })
  .refine(({ enable, disable }) => enable.length + disable.length > 0, {
    path: ["enable"],
    error: "enable and disable cannot both be empty",
  })
  .meta({
    id: "UpdateMcpServerTools",
    description: "Tools to enable and disable. Nothing changes if one is unknown",
    example: { disable: ["delete_repository"] },
  });

/** D21, D26: to callers, a disabled tool does not exist. */
export const updateMcpServerTools = write({
  id: "updateMcpServerTools",
  route: "PATCH /api/mcp-servers/tools",
  tag: "MCP Servers",
  summary: "Enable and disable tools of an MCP server",
  description: "Disabled tools are hidden from callers, and calls to them fail as if they did not exist.",
  scope: "admin:write",
  query: { slug: targetParameter("The server's slug", "github") },
  body: UpdateMcpServerToolsBody,
  answers: { 200: z.object({ data: McpServerTools }) },
  refusals: [400, 404],
  onCrash: "Failed to update tools of MCP server",
  async run({ tx, trail, query, body, context }) {
    const server = await lockServer(tx, query.slug);
    if (!server) throw notFound.mcpServer();
    const listed = await listedToolsOf(tx, server.id);
    const { on, off } = findTools(listed, body);
    const now = context.clock.now();
    await switchTools(tx, trail, server.id, on, true, now);
    await switchTools(tx, trail, server.id, off, false, now);
    trail.audit({
      operation: "updateMcpServerTools",
      target: { kind: "mcp-server", id: server.id, name: server.slug },
      before: slugsByState([...on, ...off]),
      after: { enabled: slugs(on), disabled: slugs(off) },
    });
    const tools = await listedToolsOf(tx, server.id);
    const toolsCount = tools.filter((tool) => tool.enabled && !tool.held).length;
    const data = { slug: server.slug, tools_count: toolsCount, tools: tools.map(presentAnyTool) };
    return { status: 200, body: { data } };
  },
});

/** D28, D30: finds tools by slug or upstream name. A slug takes precedence over another tool's upstream name. */
function findTools(listed: readonly ListedTool[], { enable, disable }: z.output<typeof UpdateMcpServerToolsBody>) {
  const byName = new Map([
    ...listed.map((tool) => [tool.upstream_name, tool] as const),
    ...listed.map((tool) => [tool.slug, tool] as const),
  ]);
  const unknown = [...enable, ...disable].filter((name) => !byName.has(name));
  if (unknown.length > 0) throw unknownReferences("Tools", [...new Set(unknown)]);
  const found = (names: readonly string[]) => new Set(names.flatMap((name) => byName.get(name) ?? []));
  const on = found(enable);
  const off = found(disable);
  for (const tool of on) if (off.has(tool)) throw invalid("disable", `${tool.slug} is also in enable`);
  return { on: [...on], off: [...off] };
}

function slugsByState(tools: readonly ListedTool[]) {
  const { on = [], off = [] } = Object.groupBy(tools, (tool) => (tool.enabled ? "on" : "off"));
  return { enabled: slugs(on), disabled: slugs(off) };
}

function slugs(tools: readonly ListedTool[]): string[] {
  return tools.map((tool) => tool.slug);
}
