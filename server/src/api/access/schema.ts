import { z } from "zod";

const email = z.string().meta({ description: "Whose access it is", example: "ada@example.com" });
const gatewayTool = z.string().meta({ description: "The tool's name at the gateway", example: "github__create_issue" });

/** D22: one tool that somebody lists at the gateway, and why. */
export const AccessibleTool = z
  .object({
    tool: gatewayTool,
    server: z.string().meta({ description: "The server's slug", example: "github" }),
    upstream_name: z.string().meta({ description: "What the server itself calls it", example: "create_issue" }),
    draft: z.boolean().describe("Whether the server is a draft, which only groups that show drafts give"),
    groups: z
      .array(z.string())
      .meta({ description: "The user's groups that give it, each by itself", example: ["Engineering"] }),
    why: z.string().meta({
      description: "The same in words",
      example: "Given by the group Engineering",
    }),
  })
  .meta({ id: "AccessibleTool", description: "A tool that a user lists and may call, and why" });

export const AccessSummary = z
  .object({
    email,
    disabled: z.boolean().describe("A disabled user reaches nothing"),
    servers: z.int().meta({ description: "How many servers the user reaches", example: 3 }),
    tools: z.int().meta({ description: "How many tools these list", example: 42 }),
    prompts: z.int().meta({ description: "How many prompts", example: 2 }),
    resources: z.int().meta({ description: "How many resources", example: 0 }),
    resource_templates: z.int().meta({ description: "How many resource templates", example: 0 }),
  })
  .meta({ id: "AccessSummary", description: "What a user reaches at the gateway, in numbers" });

export const CHECKS = [
  "user",
  "enabled",
  "name",
  "server",
  "group",
  "status",
  "upstream",
  "tool",
  "connection",
] as const;

export const REASONS = [
  "allowed",
  "unknown_user",
  "user_disabled",
  "malformed_name",
  "unknown_server",
  "no_group",
  "draft",
  "no_upstream",
  "not_synced",
  "unknown_tool",
  "tool_disabled",
  "tool_held",
  "not_connected",
] as const;

const Step = z.object({
  check: z.enum(CHECKS).describe("What was looked at"),
  passed: z.boolean().nullable().describe("Null: an earlier step leaves nothing to look at"),
  says: z.string().meta({ description: "What was found", example: "The user is in the group Engineering" }),
});

export const Explanation = z
  .object({
    email,
    tool: gatewayTool,
    verdict: z
      .enum(["allowed", "not_connected", "refused"])
      .describe("`not_connected`: the call is answered with a link by which the user connects to the server"),
    reason: z.enum(REASONS).describe("The first thing that stands in the way, for programs"),
    says: z.string().meta({ description: "The verdict in words", example: "The user may call this tool." }),
    next_step: z.string().nullable().describe("What would change the verdict; null when the call is allowed"),
    groups: z
      .array(
        z.object({
          name: z.string().meta({ description: "The group's name", example: "Engineering" }),
          member: z.boolean().describe("Whether the user is in it"),
          gives: z.boolean().describe("Whether its members reach the server; a draft needs `show_draft_mcps`"),
        }),
      )
      .describe("The groups that hold the server"),
    steps: z.array(Step).describe("Everything that was looked at, in order"),
  })
  .meta({ id: "AccessExplanation", description: "Why somebody can or cannot call a tool" });
