import { z } from "zod";
import { choice, flag, requiredText, text, webUrl } from "#api/kit/body-fields";
import { isVersion, VERSION_BUMPS } from "#lib/semantic-version";
import { isSlug, LONG_SLUG_MAX_LENGTH, SLUG_MESSAGE, SLUG_PATTERN } from "#lib/slug";
import { PLUGIN_TARGETS } from "#storage/plugin-tables";

/** F42. */
export const PLUGIN_BODY_BYTES = 24 * 1024 * 1024;
const MAX_CONTENT = 256 * 1024;
const MAX_ENTRIES = 100;

/** The events of Claude Code that run hooks. */
const HOOK_EVENTS = [
  ...(["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "Notification"] as const),
  ...(["UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "SubagentStart", "SubagentStop"] as const),
  ...(["PreCompact", "TeammateIdle", "TaskCompleted", "ConfigChange", "WorktreeCreate", "WorktreeRemove"] as const),
] as const;

const OBJECT = { error: "must be an object" };
const ARRAY = { error: "must be an array" };
const slug = (maximum = LONG_SLUG_MAX_LENGTH) => text(maximum).refine(isSlug, { error: SLUG_MESSAGE });
const atMost = (what: string) => ({ error: `must contain at most ${MAX_ENTRIES} ${what}` });

const author = z.object(
  {
    name: requiredText("name").describe("Name"),
    email: z
      .email({ error: "must be an email" })
      .max(254, { error: "must be at most 254 characters" })
      .optional()
      .describe("Email"),
    url: webUrl().optional().describe("Website"),
  },
  OBJECT,
);

const agent = z.object(
  {
    name: requiredText("name", LONG_SLUG_MAX_LENGTH)
      .refine(isSlug, { error: "must contain only lowercase letters, numbers and hyphens" })
      .describe("Name of the agent"),
    description: requiredText("description", 1_024).describe("When to use the agent"),
    content: z
      .string({ error: (issue) => (issue.input === undefined ? "content is required" : "must be a string") })
      .max(MAX_CONTENT, { error: `must be at most ${MAX_CONTENT} characters` })
      .refine((value) => value.trim() !== "", { error: "content is required" })
      .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
      .describe("Instructions in Markdown"),
    model: text(100).optional().describe("The model. Absent: that of the client"),
    tools: z
      .array(
        text(200).refine((tool) => tool.trim() !== "" && !tool.includes(","), { error: "must be one tool" }),
        ARRAY,
      )
      .max(MAX_ENTRIES, atMost("tools"))
      .optional()
      .describe("The tools of the client that it can use. Absent: all"),
  },
  OBJECT,
);

const hook = z.object(
  {
    type: choice(["command"]).describe("`command`"),
    command: requiredText("command", 10_000).describe("The command that clients run"),
    timeout: z
      .int({ error: "must be an integer" })
      .min(1, { error: "must be at least 1" })
      .max(3_600, { error: "must be at most 3600" })
      .optional()
      .describe("Seconds"),
  },
  OBJECT,
);

const hooks = z
  .partialRecord(
    choice(HOOK_EVENTS),
    z
      .array(
        z.object(
          {
            matcher: text(500).optional().describe("Which tools the hooks are for, as a pattern"),
            hooks: z
              .array(hook, ARRAY)
              .min(1, { error: "must contain at least one hook" })
              .max(20, { error: "must contain at most 20 hooks" })
              .describe("The commands"),
          },
          OBJECT,
        ),
        ARRAY,
      )
      .max(50, { error: "must contain at most 50 entries" }),
    OBJECT,
  )
  .meta({ description: "Commands that clients run, by event. Needs the setting `allow_plugin_hooks`" });

const mcp = z.object(
  {
    include_gateway: flag().optional().describe("Whether the plugin configures the gateway. Default: true"),
    server_name: text(64)
      .refine((name) => /^[A-Za-z0-9_-]+$/.test(name), { error: "must contain only letters, digits, _ and -" })
      .optional()
      .describe("Name of the gateway in the client. Default: gateway"),
    toolkit: slug().nullish().describe("Slug of the toolkit that clients use. Null: all that the user can reach"),
    servers: z
      .array(slug(), ARRAY)
      .max(MAX_ENTRIES, atMost("servers"))
      .optional()
      .describe("Slugs of MCP servers that clients get as separate servers"),
  },
  OBJECT,
);

const slugs = (what: string) =>
  z.array(text(200), ARRAY).max(MAX_ENTRIES, atMost(what)).nullish().describe(`Slugs of the ${what}; replaces all`);

const FIELDS = {
  name: requiredText("name").describe("Display name"),
  description: text(1_024).nullish().describe("What the plugin is for"),
  author: author.nullish().describe("Who made it. Null: the organization"),
  category: text(100).nullish().describe("Category in marketplaces"),
  keywords: z
    .array(requiredText("keyword", 50), ARRAY)
    .max(10, { error: "must contain at most 10 keywords" })
    .nullish()
    .describe("Words to find it by"),
  homepage: webUrl().nullish().describe("Website of the plugin"),
  license: text(100).nullish().describe("License, such as MIT"),
  skills: slugs("skills"),
  commands: slugs("commands"),
  agents: z.array(agent, ARRAY).max(MAX_ENTRIES, atMost("agents")).nullish().describe("Subagents; replaces all"),
  hooks: hooks.nullish(),
  mcp: mcp.nullish().describe("MCP configuration. Omitted fields keep their values"),
  targets: z
    .array(choice(PLUGIN_TARGETS), ARRAY)
    .min(1, { error: "must contain at least one target" })
    .max(PLUGIN_TARGETS.length, { error: "must not repeat a target" })
    .refine((targets) => new Set(targets).size === targets.length, { error: "must not repeat a target" })
    .nullish()
    .describe("Clients that releases have manifests for. Default: all"),
  status: choice(["draft", "active"])
    .optional()
    .describe("`draft` withdraws the plugin. Only publishing makes it active"),
  groups: z
    .array(text(), ARRAY)
    .max(1_000, { error: "must contain at most 1000 groups" })
    .optional()
    .describe("Names of the groups whose members can install it; replaces all"),
};

const EXAMPLE = {
  name: "Engineering",
  description: "Skills and servers of the engineering team",
  skills: ["release-notes"],
  mcp: { toolkit: "triage" },
  groups: ["Engineering"],
};

export const CreatePluginBody = z
  .object({
    ...FIELDS,
    slug: slug()
      .optional()
      .meta({ description: "Identifier, from the name if omitted; never changes", pattern: SLUG_PATTERN }),
  })
  .meta({ id: "CreatePlugin", description: "A plugin to create", example: EXAMPLE });

export const UpdatePluginBody = z.object({ ...FIELDS, name: FIELDS.name.optional() }).meta({
  id: "UpdatePlugin",
  description: "Changes to a plugin. Omitted fields keep their values; null restores the default",
  example: { skills: ["release-notes", "incident-review"] },
});

export const PublishPluginBody = z
  .object({
    version: text(100)
      .refine(isVersion, { error: "must be a semantic version such as 1.4.0" })
      .optional()
      .describe("The version of the release. Must be greater than the latest one"),
    bump: choice(VERSION_BUMPS).optional().describe("Which part of the latest version to increase. Default: patch"),
    notes: z
      .string({ error: "must be a string" })
      .max(10_000, { error: "must be at most 10000 characters" })
      .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
      .optional()
      .describe("What changed"),
  })
  .meta({ id: "PublishPlugin", description: "A release to publish", example: { bump: "minor", notes: "A new skill" } });
