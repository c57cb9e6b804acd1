import { z } from "zod";
import { choice, text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { Grant, NEW_TOOLS, presentGrants } from "#api/presenters/grants";
import { invalid, notFound, unknownReferences } from "#lib/errors";
import type { ToolSelection } from "#lib/tool-selection";
import { findGrant, grantsTool, lockGroup, type ServerGrant, selectTools } from "#records/groups";
import { findServer } from "#records/mcp-servers";
import { type SelectableTool, selectableToolsOf } from "#records/server-tools";

const MOST_TOOLS = 1_000;

export const UpdateGroupIntegrationBody = z
  .object({
    tools: z
      .array(text(), { error: "must be an array or null" })
      .min(1, { error: "must hold at least one tool, or be null" })
      .max(MOST_TOOLS, { error: `must contain at most ${MOST_TOOLS} tools` })
      .nullable()
      .optional()
      .describe("Tools to grant, by slug or by name at the server. Null: all tools"),
    new_tools: choice(NEW_TOOLS)
      .optional()
      .describe(
        "Whether tools that the server adds later are granted. Default: `include` if `tools` is null, otherwise `hold`",
      ),
    except_tools: z
      .array(text(), { error: "must be an array" })
      .min(1, { error: "must hold at least one tool" })
      .max(MOST_TOOLS, { error: `must contain at most ${MOST_TOOLS} tools` })
      .optional()
      .describe("Instead of `tools`: grants all others, including those that the server adds later"),
  })
  .refine((body) => body.tools !== undefined || body.new_tools !== undefined || body.except_tools !== undefined, {
    path: ["tools"],
    error: "tools or new_tools is required",
  })
  .refine((body) => body.except_tools === undefined || (body.tools === undefined && body.new_tools === undefined), {
    path: ["except_tools"],
    error: "cannot be combined with tools or new_tools",
  })
  .meta({
    id: "UpdateGroupIntegration",
    description: "Which tools of a server a group grants",
    example: { tools: ["search", "get_issue"], new_tools: "hold" },
  });

/** F9, F32. */
export const updateGroupIntegration = write({
  id: "updateGroupIntegration",
  route: "PATCH /api/groups/{name}/integrations",
  tag: "Groups",
  summary: "Select the tools of an MCP server that a group grants",
  description:
    "A user can call a tool if at least one of the user's groups grants it. To callers, other tools do not exist. Prompts and resources of the server are not affected. With `tools: null` and `new_tools: hold`, the group grants the tools that the server has now.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { slug: targetParameter("The server's slug", "github") },
  body: UpdateGroupIntegrationBody,
  answers: {
    200: z.object({
      data: Grant,
      warnings: z.array(z.string()).optional().describe("What could not be checked"),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to update integration of group",
  async run({ tx, trail, path, query, body, context }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const server = await findServer(tx, query.slug);
    if (!server) throw notFound.integration();
    const link = { groupId: group.id, memberId: server.id };
    const before = await findGrant(tx, link);
    if (!before) throw notFound.integration();
    const known = (await selectableToolsOf(tx, [server.id])).get(server.id) ?? [];
    const isSynced = server.tools_synced_at !== null;
    const selection = selectionFor(before, body, known, isSynced);
    await selectTools(tx, trail, link, selection, context.clock.now());
    const [grant] = await presentGrants(tx, [(await findGrant(tx, link)) ?? before]);
    if (!grant) throw notFound.group();
    const [was] = await presentGrants(tx, [before]);
    trail.audit({
      operation: "updateGroupIntegration",
      target: { kind: "group", id: group.id, name: group.name },
      before: { server: server.slug, tools: was?.tools, new_tools: was?.new_tools },
      after: { server: server.slug, tools: grant.tools, new_tools: grant.new_tools },
    });
    const warnings =
      selection && !isSynced ? [`${server.name} has not been synced yet, so the names of tools were not checked`] : [];
    return { status: 200, body: { data: grant, ...(warnings.length > 0 && { warnings }) } };
  },
});

/** Undefined: all tools. Stored as the granted tools, or, if new ones are included, as those that are not granted. */
function selectionFor(
  before: ServerGrant,
  body: z.output<typeof UpdateGroupIntegrationBody>,
  known: readonly SelectableTool[],
  isSynced: boolean,
): ToolSelection | undefined {
  if (body.except_tools) return { rule: "except", names: toolNames(before, body.except_tools, known, isSynced) };
  const names = grantedNames(before, body.tools, known, isSynced);
  const newTools = body.new_tools ?? (body.tools === null ? "include" : "hold");
  if (newTools === "hold") {
    if (names === "all" && !isSynced) throw invalid("new_tools", "must be include until the server has been synced");
    return { rule: "only", names: names === "all" ? new Set(known.map((tool) => tool.upstream_name)) : names };
  }
  if (names === "all") return undefined;
  if (!isSynced) throw invalid("new_tools", "must be hold until the server has been synced");
  const excluded = known.map((tool) => tool.upstream_name).filter((name) => !names.has(name));
  return excluded.length === 0 ? undefined : { rule: "except", names: new Set(excluded) };
}

/** The requested tools by their names at the server, or those that are granted now. */
function grantedNames(
  before: ServerGrant,
  tools: readonly string[] | null | undefined,
  known: readonly SelectableTool[],
  isSynced: boolean,
): ReadonlySet<string> | "all" {
  if (tools === null) return "all";
  if (tools === undefined) {
    if (before.tool_rule === "all") return "all";
    if (before.tool_rule === "only") return new Set(before.tool_names);
    return new Set(known.map((tool) => tool.upstream_name).filter((name) => grantsTool(before, name)));
  }
  return toolNames(before, tools, known, isSynced);
}

/** Names at the server, from slugs or names. */
function toolNames(
  before: ServerGrant,
  tools: readonly string[],
  known: readonly SelectableTool[],
  isSynced: boolean,
): ReadonlySet<string> {
  const byName = new Map([
    ...known.map((tool) => [tool.upstream_name, tool.upstream_name] as const),
    ...known.map((tool) => [tool.slug, tool.upstream_name] as const),
  ]);
  // A selected tool that the server no longer provides stays selected, in case it returns.
  if (before.tool_rule !== "all") for (const name of before.tool_names) if (!byName.has(name)) byName.set(name, name);
  const unknown = tools.filter((name) => isSynced && !byName.has(name));
  if (unknown.length > 0) throw unknownReferences("Tools", [...new Set(unknown)]);
  return new Set(tools.map((name) => byName.get(name) ?? name));
}
