import { z } from "zod";
import { CallLimits } from "#api/presenters/call-limits";
import { toolTokens } from "#api/presenters/tool-tokens";

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
    ...toolTokens("all these tools", "servers", "github"),
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
  "selection",
  "toolkit",
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
  "not_selected",
  "not_in_toolkit",
  "no_upstream",
  "not_synced",
  "unknown_tool",
  "tool_disabled",
  "tool_held",
  "not_connected",
] as const;

/** In the order in which callers are listed. */
export const VERDICTS = ["allowed", "not_connected", "refused"] as const;
const verdict = z
  .enum(VERDICTS)
  .describe("`not_connected`: the call returns a link with which the user connects to the server");
const reason = z.enum(REASONS).describe("Machine-readable reason: the first check that failed");

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
    verdict,
    reason,
    says: z.string().meta({ description: "The verdict as text", example: "The user can call this tool." }),
    next_step: z.string().nullable().describe("How to allow the call. Null if it is allowed"),
    groups: z
      .array(
        z.object({
          name: z.string().meta({ description: "The group's name", example: "Engineering" }),
          member: z.boolean().describe("Whether the user is a member"),
          gives: z.boolean().describe("Whether the group gives its members access to the tool"),
          blocked_by: z
            .enum(["draft", "selection"])
            .nullable()
            .describe(
              "Why it does not: the server is a draft, which requires `show_draft_mcps`, or the tool is not selected",
            ),
        }),
      )
      .describe("The groups that contain the server"),
    steps: z.array(Step).describe("All checks, in order"),
    limits: z
      .array(
        CallLimits.extend({
          scope: z
            .enum(["user", "group", "tool"])
            .describe("What it limits: the user's calls, those through a group, or those of all users to the tool"),
          name: z.string().meta({ description: "The user, group or tool", example: "Engineering" }),
          says: z.string().meta({
            description: "The limit as text",
            example: "Group Engineering limits each member to 60 calls per minute",
          }),
        }),
      )
      .describe("Limits that apply to the call, if it is allowed. Limits of several groups add up"),
  })
  .meta({ id: "AccessExplanation", description: "Why a user can or cannot call a tool" });

export const AccessCaller = z
  .object({
    email,
    name: z.string().meta({ description: "Display name", example: "Ada Lovelace" }),
    is_machine_user: z.boolean().describe("Whether this is a machine user"),
    verdict,
    reason,
    says: z.string().meta({ description: "The verdict as text", example: "The user can call this tool." }),
    groups: z
      .array(z.string())
      .meta({ description: "The user's groups that give access to the server", example: ["Engineering"] }),
    connection: z
      .enum(["not_required", "connected", "reconnect_needed", "not_connected"])
      .describe("The user's connection to the server. `not_required`: the server does not authenticate each user"),
  })
  .meta({ id: "AccessCaller", description: "A user, and whether they can call a tool" });

export const CallersSummary = z
  .object({
    server: z.string().meta({ description: "The server's slug", example: "github" }),
    tool: gatewayTool.nullable().describe("The gateway name of the tool. Null: any tool of the server"),
    allowed: z.int().meta({ description: "Number of users who can call it", example: 12 }),
    not_connected: z.int().meta({ description: "Number of users with access who are not connected", example: 3 }),
    refused: z.int().meta({ description: "Number of users who cannot call it", example: 40 }),
    blocked_by: z
      .enum(REASONS)
      .nullable()
      .describe("Why no user can call it, such as `tool_disabled`. Null: not blocked"),
    next_step: z.string().nullable().describe("How to unblock it. Null: not blocked"),
  })
  .meta({ id: "CallersSummary", description: "Number of users by verdict, regardless of filters" });
