import { z } from "zod";
import type { ListedTool } from "#records/server-tools";

export const Tool = z.object({
  name: z
    .string()
    .meta({ description: "The tool's title, or the name that its server gives it", example: "Create issue" }),
  slug: z.string().meta({ description: "What follows `__` in its name at the gateway", example: "create_issue" }),
  description: z.string().meta({ description: "What the server says of it", example: "Creates an issue" }),
});
const hint = (words: string) => z.boolean().nullable().describe(`${words}; null: the server does not say`);
const Hints = z.object({
  read_only: hint("Whether a call leaves everything as it was"),
  destructive: hint("Whether a call may delete or overwrite something"),
  idempotent: hint("Whether calling it again with the same arguments changes nothing more"),
  open_world: hint("Whether a call deals with things beyond the server, such as the web"),
});

/** D21: also those that an admin switched off. */
export const SwitchedTool = Tool.extend({
  enabled: z.boolean().describe("Whether it is switched on"),
  held: z.boolean().describe("Whether it is kept from callers until an admin accepts it (`tool_policy`)"),
  change: z.enum(["new", "changed"]).nullable().describe("Whether it differs from what was accepted; null: no"),
  digest: z.string().describe("Of its definition; empty until it is read again after an upgrade"),
  invisible_characters: z
    .array(z.string())
    .meta({ description: "Code points in its definition that nobody can see", example: ["U+200B"] }),
  hints: Hints.describe("What the server says that calls do: its word, not a guarantee"),
});

export const SwitchedTools = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    tools_count: z.int().meta({ description: "How many of its tools are enabled now", example: 24 }),
    tools: z.array(SwitchedTool).describe("All its tools, also those that are switched off"),
  })
  .meta({ id: "SwitchedTools", description: "A server's tools as they are switched now" });

/** D30: `slug` is the part after `__` at the gateway. */
export function presentTool(tool: { title: string; slug: string; description: string }) {
  return { name: tool.title, slug: tool.slug, description: tool.description };
}

export function presentSwitchedTool(tool: ListedTool) {
  return {
    ...presentTool(tool),
    enabled: tool.enabled,
    held: tool.held,
    change: tool.pin === "accepted" ? null : tool.pin,
    digest: tool.digest,
    invisible_characters: tool.unseen,
    hints: readHints(tool.annotations),
  };
}

/** The annotations were made fit when they were read: each hint is a boolean or absent. */
function readHints(annotations: string | null): z.input<typeof Hints> {
  const said: Record<string, boolean> = annotations === null ? {} : JSON.parse(annotations);
  return {
    read_only: said.readOnlyHint ?? null,
    destructive: said.destructiveHint ?? null,
    idempotent: said.idempotentHint ?? null,
    open_world: said.openWorldHint ?? null,
  };
}
