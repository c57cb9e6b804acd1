import { z } from "zod";
import { grantsTool, type ServerGrant } from "#records/groups";
import { selectableToolsOf } from "#records/server-tools";
import type { MainDb } from "#storage/database";

export const NEW_TOOLS = ["include", "hold"] as const;

const toolNames = (description: string) => z.array(z.string()).meta({ description, example: ["search", "get_issue"] });

/** F9. */
export const Grant = z
  .object({
    group: z.string().meta({ description: "The group's name", example: "Engineering" }),
    server: z.string().meta({ description: "The server's slug", example: "github" }),
    server_name: z.string().meta({ description: "The server's name", example: "GitHub" }),
    tools: toolNames("Slugs of the tools that the group grants. Null: all tools").nullable(),
    new_tools: z
      .enum(NEW_TOOLS)
      .describe("What happens to tools that the server adds later: `include` grants them, `hold` does not"),
    granted_tools: z.int().meta({ description: "Number of tools that members can call through the group", example: 2 }),
    total_tools: z.int().meta({ description: "Number of tools that the server provides", example: 12 }),
    held_tools: toolNames("Slugs of tools that the server added after the selection, and that are not granted"),
    missing_tools: toolNames("Names of selected tools that the server no longer provides"),
  })
  .meta({ id: "Grant", description: "A server in a group, and which of its tools the group grants" });

export async function presentGrants(db: MainDb, grants: readonly ServerGrant[]): Promise<z.input<typeof Grant>[]> {
  const tools = await selectableToolsOf(db, [...new Set(grants.map((grant) => grant.server_id))]);
  return grants.map((grant) => {
    const ofServer = tools.get(grant.server_id) ?? [];
    const granted = ofServer.filter((tool) => grantsTool(grant, tool.upstream_name));
    const callable = (list: typeof ofServer) => list.filter((tool) => tool.enabled && !tool.held).length;
    const known = new Set(ofServer.map((tool) => tool.upstream_name));
    const isNew = (createdAt: number) => grant.selected_at !== null && createdAt > grant.selected_at;
    const holds = grant.tool_rule === "only";
    return {
      group: grant.group_name,
      server: grant.server_slug,
      server_name: grant.server_name,
      // A selection of a server that was never synced can only be shown as it was given.
      tools: grant.tool_rule === "all" ? null : known.size > 0 ? granted.map(({ slug }) => slug) : grant.tool_names,
      new_tools: holds ? "hold" : "include",
      granted_tools: callable(granted),
      total_tools: callable(ofServer),
      held_tools: holds
        ? ofServer.filter((tool) => isNew(tool.created_at) && !granted.includes(tool)).map(({ slug }) => slug)
        : [],
      missing_tools: holds && known.size > 0 ? grant.tool_names.filter((name) => !known.has(name)) : [],
    };
  });
}
