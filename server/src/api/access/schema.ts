import { z } from "zod";

const email = z.string().meta({ description: "The user's email", example: "ada@example.com" });
const gatewayTool = z.string().meta({ description: "The gateway name of the tool", example: "github__create_issue" });

/** D22. */
export const AccessibleTool = z
  .object({
    tool: gatewayTool,
    server: z.string().meta({ description: "The server's slug", example: "github" }),
    upstream_name: z.string().meta({ description: "The tool's name at the server", example: "create_issue" }),
    draft: z.boolean().describe("Whether the server is a draft. Only groups that show drafts give access to it"),
    groups: z.array(z.string()).meta({ description: "The user's groups that give access", example: ["Engineering"] }),
    why: z.string().meta({
      description: "The reason as text",
      example: "Access through group Engineering",
    }),
  })
  .meta({ id: "AccessibleTool", description: "A tool that a user can call, and why" });

export const AccessSummary = z
  .object({
    email,
    disabled: z.boolean().describe("Whether the user is disabled. A disabled user has no access"),
    servers: z.int().meta({ description: "Number of servers the user can access", example: 3 }),
    tools: z.int().meta({ description: "Number of tools", example: 42 }),
    prompts: z.int().meta({ description: "Number of prompts", example: 2 }),
    resources: z.int().meta({ description: "Number of resources", example: 0 }),
    resource_templates: z.int().meta({ description: "Number of resource templates", example: 0 }),
  })
  .meta({ id: "AccessSummary", description: "Counts of what a user can access" });

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
  check: z.enum(CHECKS).describe("The check"),
  passed: z
    .boolean()
    .nullable()
    .describe("Whether the check passed. Null: not checked, because an earlier check failed"),
  says: z.string().meta({ description: "The result as text", example: "The user is in the group Engineering" }),
});

export const Explanation = z
  .object({
    email,
    tool: gatewayTool,
    verdict: z
      .enum(["allowed", "not_connected", "refused"])
      .describe("`not_connected`: the call returns a link with which the user connects to the server"),
    reason: z.enum(REASONS).describe("Machine-readable reason: the first check that failed"),
    says: z.string().meta({ description: "The verdict as text", example: "The user can call this tool." }),
    next_step: z.string().nullable().describe("How to allow the call. Null if it is allowed"),
    groups: z
      .array(
        z.object({
          name: z.string().meta({ description: "The group's name", example: "Engineering" }),
          member: z.boolean().describe("Whether the user is a member"),
          gives: z.boolean().describe("Whether the group gives its members access. A draft requires `show_draft_mcps`"),
        }),
      )
      .describe("The groups that contain the server"),
    steps: z.array(Step).describe("All checks, in order"),
  })
  .meta({ id: "AccessExplanation", description: "Why a user can or cannot call a tool" });
