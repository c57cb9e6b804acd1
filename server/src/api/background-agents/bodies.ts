import { z } from "zod";
import { PROVIDER_TYPES } from "#agents/model/language-model";
import { choice, requiredText, text, webUrl } from "#api/kit/body-fields";
import { MAX_INSTRUCTIONS_BYTES } from "#lib/agent-limits";
import { isCron, isTimeZone } from "#lib/cron";
import { isEmail } from "#lib/email";
import { isSlug, LONG_SLUG_MAX_LENGTH, SLUG_MESSAGE } from "#lib/slug";
import { AGENT_STATUSES, PLATFORMS } from "./schema.ts";

const MAX_INPUT = 256 * 1024;
const MAX_SCRIPT = 200;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const REFUSED_HEADERS = /^(host|content-.*|transfer-encoding|connection|accept.*|authorization)$/i;

const whole = (minimum: number, maximum: number) =>
  z
    .int({ error: "must be a whole number" })
    .min(minimum, { error: `must be between ${minimum} and ${maximum}` })
    .max(maximum, { error: `must be between ${minimum} and ${maximum}` });

const limits = z
  .object(
    {
      max_steps: whole(1, 200).optional().describe("Answers of the model. Default: 25"),
      max_output_tokens: whole(1, 200_000).optional().describe("Tokens of one answer. Default: 4096"),
      max_total_tokens: whole(1, 10_000_000).optional().describe("Tokens of a session. Default: 200000"),
      timeout_seconds: whole(10, 3600).optional().describe("Seconds of a session. Default: 600"),
      max_concurrent: whole(1, 20).optional().describe("Sessions at a time. Default: 1"),
    },
    { error: "must be an object" },
  )
  .describe("What a session may use. Omitted limits keep their values");

const scriptLine = z
  .object(
    {
      text: text(100_000).optional().describe("An answer. `{{last_result}}` is the text of the last tool result"),
      tool: text(200).optional().describe("A tool to call instead"),
      arguments: z.record(z.string(), z.unknown(), { error: "must be an object" }).optional().describe("Its arguments"),
      error: text(1_000).optional().describe("The provider fails with this message instead"),
      status: whole(400, 599).optional().describe("HTTP status of the failure. Default: 400"),
    },
    { error: "must be an object" },
  )
  .refine((line) => [line.text, line.tool, line.error].filter((value) => value !== undefined).length === 1, {
    error: "must have one of text, tool and error",
  });

const provider = z
  .object(
    {
      type: choice(PROVIDER_TYPES).describe("Who runs the model"),
      base_url: webUrl().nullish().describe("Required for `openai-compatible`. Default: the provider's own"),
      api_key: text(10_000).nullish().meta({ description: "Never returned. null removes it", writeOnly: true }),
      headers: z
        .record(
          z
            .string()
            .regex(HEADER_NAME, { error: "must be a header name" })
            .refine((name) => !REFUSED_HEADERS.test(name), { error: "must not be a header that the gateway sets" }),
          text(10_000).nullable(),
          { error: "must be an object" },
        )
        .optional()
        .meta({ description: "Additional headers. Values are never returned. null removes one", writeOnly: true }),
      script: z
        .array(scriptLine, { error: "must be an array" })
        .max(MAX_SCRIPT, { error: `must contain at most ${MAX_SCRIPT} entries` })
        .optional()
        .describe("For `scripted`: one entry per answer of the model"),
    },
    { error: "must be an object" },
  )
  .refine(({ type, base_url: url }) => type !== "openai-compatible" || url, {
    error: "base_url is required",
    path: ["base_url"],
  })
  .describe(
    "Who runs the model. Omitted secrets stay, unless the type or the URL changes. null: the default of this installation",
  );

const MIN_SECRET = 16;

const sessionInput = z
  .union([z.string(), z.record(z.string(), z.unknown())], {
    error: (issue) => (issue.input === undefined ? "input is required" : "must be a string or an object"),
  })
  .transform((value) => (typeof value === "string" ? value : JSON.stringify(value)))
  .refine((value) => value.trim() !== "", { error: "input is required" })
  .refine((value) => Buffer.byteLength(value) <= MAX_INPUT, { error: `must be at most ${MAX_INPUT / 1024} KiB` })
  .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
  .describe("What to do. An object is given to the model as JSON");

const schedule = z.object(
  {
    cron: text(200)
      .refine(isCron, { error: "must be a valid cron expression" })
      .meta({ description: "Five fields: minute, hour, day of month, month, day of week", example: "0 9 * * 1-5" }),
    timezone: text(100)
      .refine(isTimeZone, { error: "must be a time zone such as Europe/Berlin" })
      .optional()
      .describe("Default: UTC"),
    input: sessionInput.describe("The input of its sessions. An object is given to the model as JSON"),
    enabled: z.boolean({ error: "must be a boolean" }).optional().describe("Default: true"),
  },
  { error: "must be an object" },
);

const hook = z.object(
  {
    enabled: z.boolean({ error: "must be a boolean" }).describe("Whether signed requests start sessions"),
    secret: text(1_000)
      .refine((value) => value.length >= MIN_SECRET, { error: `must have at least ${MIN_SECRET} characters` })
      .optional()
      .meta({ description: "Signs the requests. Never returned. Default: a new one, returned once", writeOnly: true }),
  },
  { error: "must be an object" },
);

const triggers = z
  .object(
    {
      schedule: schedule.nullable().optional().describe("null removes it"),
      webhook: hook.nullable().optional().describe("null removes it with its secret"),
    },
    { error: "must be an object" },
  )
  .describe("What starts sessions besides the API. Omitted triggers stay");

const slugs = (word: string) =>
  z
    .array(text(LONG_SLUG_MAX_LENGTH), { error: "must be an array" })
    .max(100, { error: `must contain at most 100 ${word}` });

export const PlatformConfigBody = z
  .object(
    {
      url: webUrl().nullable().optional().describe("`webhook`: the runner"),
      base_url: webUrl().nullable().optional().describe("`anthropic`: the URL of the API. Default: the platform's own"),
      environment_id: text(200).nullable().optional().describe("`anthropic`: the environment of its sessions"),
      vault_ids: z
        .array(text(200), { error: "must be an array" })
        .max(20, { error: "must contain at most 20 vaults" })
        .optional()
        .describe("`anthropic`: vaults, of which one has the credential of the gateway"),
      api_key: text(10_000).optional().meta({ description: "`anthropic`: never returned", writeOnly: true }),
      secret: text(1_000)
        .refine((value) => value.length >= MIN_SECRET, { error: `must have at least ${MIN_SECRET} characters` })
        .optional()
        .meta({ description: "`webhook`: signs requests in both directions. Never returned", writeOnly: true }),
    },
    { error: "must be an object" },
  )
  .describe("Settings of another platform. Omitted fields stay; a different URL needs its secrets again");

const FIELDS = {
  name: requiredText("name").describe("Display name"),
  description: text(1_024).describe("For people"),
  status: choice(AGENT_STATUSES).describe("Only active agents start sessions. Default: draft"),
  instructions: z
    .string({ error: (issue) => (issue.input === undefined ? "instructions is required" : "must be a string") })
    .max(MAX_INSTRUCTIONS_BYTES, { error: `must be at most ${MAX_INSTRUCTIONS_BYTES / 1024} KiB` })
    .refine((value) => Buffer.byteLength(value) <= MAX_INSTRUCTIONS_BYTES, {
      error: `must be at most ${MAX_INSTRUCTIONS_BYTES / 1024} KiB`,
    })
    .refine((value) => value.trim() !== "", { error: "instructions is required" })
    .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
    .describe("The system prompt"),
  model: requiredText("model", 200).describe(
    "The model's name at the provider. null: the model of the default provider",
  ),
  provider,
  toolkit: text(LONG_SLUG_MAX_LENGTH).nullable().describe("Slug of its toolkit. null: every tool of its machine user"),
  skills: slugs("skills").describe("Slugs of skills that it can read; replaces all"),
  identity: text().describe("Email of a machine user. Default: a new one"),
  owner_emails: z
    .array(text(320).refine(isEmail, { error: "must be a valid email" }), { error: "must be an array" })
    .max(50, { error: "must contain at most 50 emails" })
    .describe("People who are responsible for it; replaces all"),
  limits,
  triggers,
  notify_url: webUrl()
    .nullable()
    .describe(
      "Gets a signed request when a session ends, as webhooks do. A new URL gets a new secret. null removes it",
    ),
};

const OPTIONAL = {
  description: FIELDS.description.optional(),
  status: FIELDS.status.optional(),
  toolkit: FIELDS.toolkit.optional(),
  skills: FIELDS.skills.optional(),
  identity: FIELDS.identity.optional(),
  owner_emails: FIELDS.owner_emails.optional(),
  limits: FIELDS.limits.optional(),
  triggers: FIELDS.triggers.optional(),
  notify_url: FIELDS.notify_url.optional(),
};

export const CreateAgentBody = z
  .object({
    slug: text(LONG_SLUG_MAX_LENGTH)
      .refine(isSlug, { error: SLUG_MESSAGE })
      .optional()
      .describe("Default: from the name, with a number if it is taken"),
    name: FIELDS.name,
    platform: choice(PLATFORMS).optional().describe("Where sessions run. Default: builtin"),
    instructions: FIELDS.instructions,
    model: FIELDS.model.nullish(),
    provider: FIELDS.provider.nullish(),
    platform_config: PlatformConfigBody.optional(),
    ...OPTIONAL,
  })
  .meta({
    id: "CreateBackgroundAgent",
    description: "An agent to create",
    example: {
      name: "Issue triage",
      instructions: "Label new issues and assign them to a team.",
      model: "claude-sonnet-4-5",
      provider: { type: "anthropic", api_key: "…" },
      toolkit: "triage",
    },
  });

export const UpdateAgentBody = z
  .object({
    ...OPTIONAL,
    name: FIELDS.name.optional(),
    instructions: FIELDS.instructions.optional(),
    model: FIELDS.model.nullish(),
    provider: FIELDS.provider.nullish(),
    platform_config: PlatformConfigBody.optional(),
  })
  .meta({
    id: "UpdateBackgroundAgent",
    description: "Changes to an agent. Omitted fields keep their values",
    example: { status: "active" },
  });

export const InvokeAgentBody = z
  .object({
    input: sessionInput,
    metadata: z
      .record(text(100), z.unknown(), { error: "must be an object" })
      .refine((value) => JSON.stringify(value).length <= 10_000, { error: "must be at most 10,000 characters" })
      .optional()
      .describe("Returned with the session, after redaction by guards"),
    parent_session_id: text(100).optional().describe("An ended session of the same agent that this one follows up"),
    wait_seconds: whole(0, 60).optional().describe("How long to wait for the end. Default: 0"),
  })
  .meta({ id: "InvokeBackgroundAgent", description: "A session to start", example: { input: "Triage new issues" } });

export const AgentMessageBody = z
  .object({ input: sessionInput })
  .meta({ id: "AgentMessage", description: "A follow-up", example: { input: "Also close the duplicates" } });

export const RotateAgentSecretBody = z
  .object({
    kind: choice(["webhook", "notify"]).describe("`webhook`: of the inbound webhook. `notify`: of `notify_url`"),
    overlap_hours: whole(0, 168).optional().describe("How long the old secret stays valid. Default: 24"),
  })
  .meta({ id: "RotateAgentSecret", description: "A secret to rotate", example: { kind: "webhook" } });

export const SyncAgentBody = z
  .object({ direction: choice(["push", "pull", "both"]).optional().describe("Default: both") })
  .meta({ id: "SyncBackgroundAgent", description: "How to sync", example: { direction: "both" } });

const MAX_REPORTED = 200;

const reportedStep = z.object(
  {
    index: whole(0, 10_000).describe("Position in the session, from 0"),
    type: choice(["model", "tool_call", "tool_result", "error"]).describe("What happened"),
    text: text(1_000_000).optional().describe("The text"),
    tool_name: text(200).optional().describe("The tool at the gateway"),
    arguments: text(1_000_000).optional().describe("JSON text of the arguments"),
    is_error: z.boolean({ error: "must be a boolean" }).optional().describe("Whether it failed"),
    duration_ms: whole(0, 86_400_000).optional().describe("How long it took"),
  },
  { error: "must be an object" },
);

export const ReportSessionBody = z
  .object({
    status: choice(["running", "completed", "failed"]).describe("`running`: only steps are added"),
    output: text(MAX_INPUT).optional().describe("The result"),
    error: text(1_000).optional().describe("Why it failed"),
    steps: z
      .array(reportedStep, { error: "must be an array" })
      .max(MAX_REPORTED, { error: `must contain at most ${MAX_REPORTED} steps` })
      .default([])
      .describe("New steps"),
  })
  .meta({
    id: "ReportAgentSession",
    description: "What happened in a session",
    example: { status: "completed", output: "3 issues are labeled" },
  });

export const ImportAgentsBody = z
  .object({
    platform: choice(["anthropic"]).describe("The platform that has the agents"),
    platform_config: PlatformConfigBody,
  })
  .meta({
    id: "ImportBackgroundAgents",
    description: "Agents to import",
    example: { platform: "anthropic", platform_config: { api_key: "…", environment_id: "env_01" } },
  });
