import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { callLimitFields, mergeCallLimits, presentCallLimits } from "#api/presenters/call-limits";
import { invalid, notFound, unknownReferences } from "#lib/errors";
import { lockServer } from "#records/mcp-servers";
import {
  disableUnlistedTools,
  forgetUnlistedTools,
  type ListedTool,
  listedToolsOf,
  setToolLimits,
  switchTools,
  type ToolLimits,
} from "#records/server-tools";
import type { CallLimitColumns } from "#storage/limit-tables";
import { McpServerTools, presentAnyTool } from "./tool-schema.ts";
import { limitsOfUnlisted, separateUnlisted, type ToolChanges } from "./unlisted-tools.ts";

const MOST_TOOLS = 1_000;
const NONE: ToolChanges = { enable: [], disable: [], limits: [] };

const toolNames = z
  .array(text(), { error: "must be an array" })
  .max(MOST_TOOLS, { error: `must hold at most ${MOST_TOOLS} tools` })
  .default([]);

const ToolLimitsBody = z
  .object(
    { tool: text().describe("The tool, by slug or upstream name"), ...callLimitFields },
    { error: "must be an object" },
  )
  .refine((limits) => limits.calls_per_minute !== undefined || limits.concurrent_calls !== undefined, {
    error: "calls_per_minute or concurrent_calls is required",
  });

export const UpdateMcpServerToolsBody = z
  .object({
    enable: toolNames.describe("Tools to enable, by slug or upstream name"),
    disable: toolNames.describe("Tools to disable, by slug or upstream name"),
    limits: z
      .array(ToolLimitsBody, { error: "must be an array" })
      .max(MOST_TOOLS, { error: `must hold at most ${MOST_TOOLS} tools` })
      .default([])
      .describe("Limits of a tool's calls by all users together"),
    allow_unlisted: z
      .boolean({ error: "must be a boolean" })
      .default(false)
      .describe("Accept names that the server does not list yet, as upstream names. Default: false"),
  })
  .refine(({ enable, disable, limits }) => enable.length + disable.length + limits.length > 0, {
    path: ["enable"],
    error: "enable and disable cannot both be empty",
  })
  .meta({
    id: "UpdateMcpServerTools",
    description: "Tools to enable, disable, and limit. Nothing changes if one is unknown",
    example: { disable: ["delete_repository"] },
  });

/** D21, D26: to callers, a disabled tool does not exist. */
export const updateMcpServerTools = write({
  id: "updateMcpServerTools",
  route: "PATCH /api/mcp-servers/tools",
  tag: "MCP Servers",
  summary: "Enable, disable, and limit tools of an MCP server",
  description:
    "Disabled tools are hidden from callers, and calls to them fail as if they did not exist. Limits of a tool apply to the calls of all users together; a call over a limit gets status 429 with `Retry-After`.",
  scope: "admin:write",
  query: { slug: targetParameter("The server's slug", "github") },
  body: UpdateMcpServerToolsBody,
  answers: { 200: z.object({ data: McpServerTools }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update tools of MCP server",
  async run({ tx, trail, query, body, context }) {
    const server = await lockServer(tx, query.slug);
    if (!server) throw notFound.mcpServer();
    const listed = await listedToolsOf(tx, server.id);
    const { known, unlisted } = body.allow_unlisted ? separateUnlisted(listed, body) : { known: body, unlisted: NONE };
    const unlistedLimits = await limitsOfUnlisted(tx, server.id, unlisted.limits);
    const { on, off, limits } = findTools(listed, known);
    const now = context.clock.now();
    await switchTools(tx, trail, server.id, on, true, now);
    await switchTools(tx, trail, server.id, off, false, now);
    await forgetUnlistedTools(tx, trail, server.id, unlisted.enable);
    await disableUnlistedTools(tx, trail, server.id, unlisted.disable, now);
    await setToolLimits(tx, trail, server.id, [...limits.map(({ next }) => next), ...unlistedLimits]);
    trail.audit({
      operation: "updateMcpServerTools",
      target: { kind: "mcp-server", id: server.id, name: server.slug },
      before: { ...slugsByState([...on, ...off]), ...limitsBySlug(limits, ({ tool }) => tool) },
      after: {
        ...{ enabled: [...slugs(on), ...unlisted.enable], disabled: [...slugs(off), ...unlisted.disable] },
        ...limitsBySlug(limits, ({ next }) => next),
        ...(unlisted.limits.length > 0 && { unlisted_limits: unlisted.limits }),
      },
    });
    const tools = await listedToolsOf(tx, server.id);
    const toolsCount = tools.filter((tool) => tool.enabled && !tool.held).length;
    const data = { slug: server.slug, tools_count: toolsCount, tools: tools.map(presentAnyTool) };
    return { status: 200, body: { data } };
  },
});

/** D28, D30: finds tools by slug or upstream name. A slug takes precedence over another tool's upstream name. */
function findTools(listed: readonly ListedTool[], { enable, disable, limits }: ToolChanges) {
  const byName = new Map([
    ...listed.map((tool) => [tool.upstream_name, tool] as const),
    ...listed.map((tool) => [tool.slug, tool] as const),
  ]);
  const unknown = [...enable, ...disable, ...limits.map(({ tool }) => tool)].filter((name) => !byName.has(name));
  if (unknown.length > 0) throw unknownReferences("Tools", [...new Set(unknown)]);
  const found = (names: readonly string[]) => new Set(names.flatMap((name) => byName.get(name) ?? []));
  const on = found(enable);
  const off = found(disable);
  for (const tool of on) if (off.has(tool)) throw invalid("disable", `${tool.slug} is also in enable`);
  const limited = new Map<ListedTool, ToolLimits>();
  for (const { tool: name, ...changes } of limits) {
    const tool = byName.get(name);
    if (!tool) continue;
    if (limited.has(tool)) throw invalid("limits", `${tool.slug} is listed twice`);
    limited.set(tool, { tool_name: tool.upstream_name, ...mergeCallLimits(tool, changes) });
  }
  return { on: [...on], off: [...off], limits: [...limited].map(([tool, next]) => ({ tool, next })) };
}

interface ChangedLimits {
  readonly tool: ListedTool;
  readonly next: ToolLimits;
}

function limitsBySlug(changes: readonly ChangedLimits[], limitsOf: (change: ChangedLimits) => CallLimitColumns) {
  if (changes.length === 0) return {};
  return { limits: Object.fromEntries(changes.map((each) => [each.tool.slug, presentCallLimits(limitsOf(each))])) };
}

function slugsByState(tools: readonly ListedTool[]) {
  const { on = [], off = [] } = Object.groupBy(tools, (tool) => (tool.enabled ? "on" : "off"));
  return { enabled: slugs(on), disabled: slugs(off) };
}

function slugs(tools: readonly ListedTool[]): string[] {
  return tools.map((tool) => tool.slug);
}
