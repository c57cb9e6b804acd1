import { z } from "zod";
import { createdAt, isoTime, recordId, updatedAt } from "#api/kit/answers";
import { groupNames, toolkitLinks } from "#records/groups";
import { brokenTools, countTools, knownServersOf, type LimitKnown } from "#records/toolkits";
import { userNames } from "#records/users";
import type { MainDb } from "#storage/database";
import type { ToolkitRow, ToolkitTool } from "#storage/toolkit-tables";

const server = z.string().meta({ description: "The server's slug", example: "github" });

const values = (description: string) => z.record(z.string(), z.unknown()).meta({ description });

export const ToolkitToolEntry = z
  .object({
    server,
    tool: z.string().meta({
      description: "The tool's name at the server. `*`: all other enabled tools of the server",
      example: "search_issues",
    }),
    alias: z.string().nullable().describe("Callers see `{server}__{alias}` instead of the tool's name"),
    title: z.string().nullable().describe("Replaces the tool's title"),
    description: z.string().nullable().describe("Replaces the tool's description"),
    arguments: z
      .object({
        fixed: values("Sent with every call. Callers do not see these arguments and cannot set them"),
        defaults: values("Sent if the caller does not set them"),
        hidden: z.array(z.string()).describe("Removed from the schema and from calls"),
      })
      .describe("Changes to the top-level arguments"),
  })
  .meta({ id: "ToolkitTool", description: "A tool in a toolkit" });

export const BROKEN_REASONS = ["server_missing", "server_draft", "tool_missing", "tool_disabled"] as const;

/** Families 2. */
export const Toolkit = z
  .object({
    id: recordId("tkt"),
    slug: z.string().meta({ description: "Unique, never changes; used in `?toolkit=`", example: "triage" }),
    name: z.string().meta({ description: "Display name", example: "Issue triage" }),
    description: z.string().describe("For users of the toolkit"),
    instructions: z.string().describe("For models: part of the server's instructions in the view of the toolkit"),
    status: z.enum(["draft", "active"]).describe("Only active toolkits reach callers"),
    least_privilege: z
      .boolean()
      .describe("Whether users see only the toolkit's tools of the servers that it names, also without selecting it"),
    groups: z.array(z.string()).describe("Names of the groups whose members can use it"),
    owner_email: z.string().nullable().describe("The only user of the toolkit. Null: a toolkit of the organization"),
    tools: z.array(ToolkitToolEntry).describe("The tools, in the order in which they are shown"),
    prompts: z
      .array(z.object({ server, name: z.string().describe("The prompt's name at the server") }))
      .describe("The prompts"),
    resources: z
      .array(z.object({ server, uri: z.string().describe("The URI of a resource, or a URI template") }))
      .describe("The resources"),
    skills: z.array(z.string()).describe("Slugs of the skills"),
    commands: z.array(z.string()).describe("Slugs of the commands"),
    tools_count: z.int().meta({ description: "Number of tools", example: 3 }),
    broken_tools: z
      .array(
        z.object({
          server,
          tool: z.string().describe("The tool's name at the server"),
          reason: z.enum(BROKEN_REASONS).describe("Why no caller can use it now"),
        }),
      )
      .describe("Entries without effect"),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "Toolkit", description: "A selection of tools, prompts and resources of one or more servers" });

export const toolkitWarningsField = z
  .array(z.string())
  .optional()
  .describe("Entries that are saved but have no effect now");

export type PresentedToolkit = z.input<typeof Toolkit>;

export async function presentToolkits(
  db: MainDb,
  rows: readonly ToolkitRow[],
  limit: LimitKnown = (known) => known,
): Promise<PresentedToolkit[]> {
  const links = await toolkitLinks.groupsOf(
    db,
    rows.map(({ id }) => id),
  );
  const names = await groupNames(db, [...new Set([...links.values()].flat())]);
  const owners = await userNames(
    db,
    rows.flatMap(({ owner_id: id }) => id ?? []),
  );
  const known = limit(await knownServersOf(db, rows));
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    status: row.status,
    least_privilege: row.least_privilege,
    groups: (links.get(row.id) ?? []).flatMap((id) => names.get(id) ?? []).sort((one, two) => one.localeCompare(two)),
    owner_email: row.owner_id === null ? null : (owners.get(row.owner_id)?.email ?? null),
    tools: row.tools.map(presentTool),
    prompts: row.prompts,
    resources: row.resources,
    skills: row.skills,
    commands: row.commands,
    tools_count: countTools(row.tools, known),
    broken_tools: brokenTools(row.tools, known),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }));
}

function presentTool({ server, tool, alias, title, description, arguments: given }: ToolkitTool) {
  const { fixed = {}, defaults = {}, hidden = [] } = given ?? {};
  return {
    server,
    tool,
    alias: alias ?? null,
    title: title ?? null,
    description: description ?? null,
    arguments: { fixed, defaults, hidden },
  };
}
