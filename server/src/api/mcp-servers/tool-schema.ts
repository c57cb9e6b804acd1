import { z } from "zod";
import { CallLimits, presentCallLimits } from "#api/presenters/call-limits";
import { GATING_CAPABILITIES } from "#lib/gating-capabilities";
import type { ListedTool } from "#records/server-tools";

export const Tool = z.object({
  name: z.string().meta({ description: "Title of the tool, or its name at the upstream", example: "Create issue" }),
  slug: z.string().meta({ description: "The part of the tool's gateway name after `__`", example: "create_issue" }),
  description: z.string().meta({ description: "Description of the tool", example: "Creates an issue" }),
});
/** Never contains what the guard found. */
export const BlockedBy = z
  .object({
    guard_slug: z.string().meta({ description: "The guard's slug", example: "tool-poisoning" }),
    guard_name: z.string().meta({ description: "The guard's name", example: "Tool poisoning" }),
    check: z.string().meta({
      description: "The name of its check, or why the definition could not be examined, such as `timeout`",
      example: "Tool poisoning",
    }),
  })
  .nullable()
  .describe("The build-time guard that holds the definition; null if none does");
const hint = (meaning: string) => z.boolean().nullable().describe(`${meaning}; null if not declared`);
const Hints = z.object({
  read_only: hint("Whether calls do not modify anything"),
  destructive: hint("Whether calls may delete or overwrite data"),
  idempotent: hint("Whether repeated calls with the same arguments have no further effect"),
  open_world: hint("Whether calls interact with external systems, such as the web"),
});

/** D21: includes disabled tools. */
export const AnyTool = Tool.extend({
  upstream_name: z.string().meta({ description: "The tool's name at the server", example: "create_issue" }),
  enabled: z.boolean().describe("Whether the tool is enabled"),
  held: z
    .boolean()
    .describe("Whether the tool is hidden from callers until an admin accepts it (`tool_policy`, or a guard)"),
  blocked_by: BlockedBy,
  rejected: z.boolean().describe("Whether an admin rejected the definition that the server lists now"),
  change: z
    .enum(["new", "changed"])
    .nullable()
    .describe("Whether the tool is new or differs from its accepted definition; null if accepted"),
  digest: z.string().describe("Digest of the definition; empty until the first sync after an upgrade"),
  invisible_characters: z
    .array(z.string())
    .meta({ description: "Invisible characters in the definition", example: ["U+200B"] }),
  hints: Hints.describe("Annotations declared by the server; not verified"),
  required_capabilities: z.array(z.enum(GATING_CAPABILITIES)).meta({
    description:
      "Client capabilities without which the server does not list the tool. Only clients that declare all of them get it",
    example: ["elicitation"],
  }),
  limits: CallLimits.describe("Limits of the tool's calls by all users together"),
});

export const McpServerTools = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    tools_count: z.int().meta({ description: "Number of enabled tools", example: 24 }),
    tools: z.array(AnyTool).describe("All tools, including disabled ones"),
  })
  .meta({ id: "McpServerTools", description: "Tools of a server after a change" });

/** D30: `slug` is the part after `__` at the gateway. */
export function presentTool(tool: { title: string; slug: string; description: string }) {
  return { name: tool.title, slug: tool.slug, description: tool.description };
}

export function presentAnyTool(tool: ListedTool) {
  return {
    ...presentTool(tool),
    upstream_name: tool.upstream_name,
    enabled: tool.enabled,
    held: isHeld(tool),
    blocked_by: tool.blocked_by,
    rejected: tool.rejected_digest !== null,
    change: tool.pin === "accepted" ? null : tool.pin,
    digest: tool.digest,
    invisible_characters: tool.unseen,
    hints: readHints(tool.annotations),
    required_capabilities: tool.required_capabilities,
    limits: presentCallLimits(tool),
  };
}

/** A new tool that was rejected is hidden, but does not wait for review. */
export function isHeld({ held, digest, rejected_digest }: ListedTool): boolean {
  return held && rejected_digest !== digest;
}

/** The sync removed invalid annotations, so each hint is a boolean or absent. */
function readHints(annotations: string | null): z.input<typeof Hints> {
  const declared: Record<string, boolean> = annotations === null ? {} : JSON.parse(annotations);
  return {
    read_only: declared.readOnlyHint ?? null,
    destructive: declared.destructiveHint ?? null,
    idempotent: declared.idempotentHint ?? null,
    open_world: declared.openWorldHint ?? null,
  };
}
