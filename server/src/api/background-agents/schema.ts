import { z } from "zod";
import { PROVIDER_TYPES } from "#agents/model/language-model";
import { createdAt, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { MODEL_PROVIDERS } from "#lib/model-providers";

export const AGENT_STATUSES = ["draft", "active", "paused"] as const;
export const PLATFORMS = ["builtin", "anthropic", "webhook"] as const;
export const SESSION_STATUSES = [
  ...(["queued", "running", "waiting_approval", "completed", "failed", "canceled", "timed_out"] as const),
] as const;
export const TRIGGERS = ["api", "schedule", "webhook"] as const;
const STEP_TYPES = ["model", "tool_call", "tool_result", "approval", "error"] as const;

const limits = z
  .object({
    max_steps: z.int().meta({ description: "Answers of the model", example: 25 }),
    max_output_tokens: z.int().meta({ description: "Tokens of one answer", example: 4096 }),
    max_total_tokens: z.int().meta({ description: "Tokens of all answers and their prompts", example: 200000 }),
    timeout_seconds: z.int().meta({ description: "Seconds from the start to the end", example: 600 }),
    max_concurrent: z.int().meta({ description: "Sessions at a time; others wait", example: 1 }),
  })
  .describe("What a session may use");

const provider = z
  .object({
    type: z.enum(PROVIDER_TYPES).describe("Who runs the model; `scripted` answers with a script, for tests and demos"),
    base_url: z.string().nullable().describe("Null: the provider's own"),
    has_api_key: z.boolean().describe("Whether an API key is stored. It is never returned"),
    headers: z.record(z.string(), z.null()).describe("Names of additional headers. Values are never returned"),
    script: z.array(z.record(z.string(), z.unknown())).describe("For `scripted`: one entry per answer of the model"),
  })
  .nullable()
  .describe("Who runs the model. Null: the default of this installation, or another platform has its own");

const resolvedProvider = z
  .object({
    source: z.enum(["agent", "installation"]).describe("`installation`: the default, which the operator sets"),
    type: z.enum(PROVIDER_TYPES).describe("Who runs the model"),
    model: z.string().meta({ description: "The model's name at the provider", example: "claude-sonnet-4-5" }),
    base_url: z.string().nullable().describe("Null: the provider's own"),
  })
  .nullable()
  .describe("What the next session uses. Null: there is no provider, or it runs on another platform");

export const DefaultProvider = z
  .object({
    type: z.enum(MODEL_PROVIDERS).describe("Who runs the model"),
    model: z.string().meta({ description: "The model's name at the provider", example: "claude-sonnet-4-5" }),
    base_url: z.string().nullable().describe("Null: the provider's own"),
    has_api_key: z.boolean().describe("Whether an API key is set. It is never returned"),
  })
  .meta({ id: "AgentDefaultProvider", description: "The provider of agents that have none" });

export const Sync = z
  .object({
    status: z.enum(["never", "synced", "drift", "error"]).describe("`drift`: the platform has other values"),
    platform_agent_id: z.string().nullable().describe("The agent on the platform"),
    platform_version: z.string().nullable().describe("Its version there at the last sync"),
    last_synced_at: timestamp("When it was last synced").nullable(),
    error: z.string().nullable().describe("Why the last sync failed"),
  })
  .meta({ id: "AgentSync", description: "The last sync with the platform" });

const platformConfig = z
  .object({
    url: z.string().nullable().describe("`webhook`: the runner"),
    base_url: z.string().nullable().describe("`anthropic`: the URL of the API. Null: the platform's own"),
    environment_id: z.string().nullable().describe("`anthropic`: the environment of its sessions"),
    vault_ids: z.array(z.string()).describe("`anthropic`: vaults of its sessions"),
    has_api_key: z.boolean().describe("Whether an API key is stored. It is never returned"),
    has_secret: z.boolean().describe("Whether a secret is stored. It is never returned"),
  })
  .nullable()
  .describe("Settings of another platform. Null: it runs in Gatehouse");

const triggers = z
  .object({
    schedule: z
      .object({
        cron: z.string().meta({ description: "Five fields", example: "0 9 * * 1-5" }),
        timezone: z.string().meta({ description: "Time zone of the expression", example: "Europe/Berlin" }),
        input: z.string().describe("The input of its sessions"),
        enabled: z.boolean().describe("Whether it starts sessions"),
        next_run_at: timestamp("When it starts the next session").nullable(),
        skipped_at: timestamp("When it last started none: the previous session still ran").nullable(),
      })
      .nullable()
      .describe("Null: none"),
    webhook: z
      .object({
        enabled: z.boolean().describe("Whether signed requests start sessions"),
        url: z.string().describe("Where to send requests"),
        has_secret: z.boolean().describe("Whether it has a secret. It is never returned"),
        previous_secret_expires_at: timestamp("Until when the old secret is valid").nullable(),
      })
      .describe("The inbound webhook"),
  })
  .describe("What starts sessions besides the API");

/** Families 7. */
export const Session = z
  .object({
    id: recordId("ses"),
    agent_slug: z.string().meta({ description: "The agent", example: "triage" }),
    agent_version: z.int().meta({ description: "The version of the agent", example: 3 }),
    platform: z.enum(PLATFORMS).describe("Where it runs"),
    platform_session_id: z.string().nullable().describe("The session on another platform"),
    trigger: z.enum(TRIGGERS).describe("What started it"),
    status: z.enum(SESSION_STATUSES).describe("`waiting_approval`: a call waits until someone approves it"),
    input: z.string().meta({ description: "What the agent was asked", example: "Summarize the open incidents" }),
    output: z.string().nullable().describe("The last answer of the model; null until it completes"),
    error: z
      .object({
        code: z.string().meta({ description: "What kind of failure", example: "provider_error" }),
        message: z.string().meta({ description: "What happened", example: "The provider failed (401): invalid key" }),
      })
      .nullable()
      .describe("Why it failed"),
    usage: z
      .object({
        steps: z.int().meta({ description: "Answers of the model", example: 4 }),
        tool_calls: z.int().meta({ description: "Calls of tools", example: 3 }),
        input_tokens: z.int().meta({ description: "Tokens of the prompts", example: 5210 }),
        output_tokens: z.int().meta({ description: "Tokens of the answers", example: 640 }),
      })
      .describe("What it used so far"),
    approval_id: z.string().nullable().describe("The approval that a call waits for"),
    parent_session_id: z.string().nullable().describe("The session that it follows up"),
    metadata: z.record(z.string(), z.unknown()).describe("As the caller sent it, after redaction by guards"),
    requested_by: z.string().meta({ description: "Who started it", example: "ada@example.com" }),
    created_at: createdAt,
    started_at: timestamp("When it started to run").nullable(),
    ended_at: timestamp("When it ended").nullable(),
  })
  .meta({ id: "AgentSession", description: "One run of an agent" });

export const Step = z
  .object({
    index: z.int().meta({ description: "Position in the session, from 0", example: 0 }),
    type: z
      .enum(STEP_TYPES)
      .describe("An answer of the model, a tool call, its result, a decided approval, or an error"),
    role: z.enum(["assistant", "tool", "system"]).describe("Who it comes from"),
    text: z.string().nullable().describe("The text. Results are as guards passed them on"),
    tool_name: z.string().nullable().meta({ description: "The tool at the gateway", example: "linear__create_issue" }),
    arguments: z
      .string()
      .nullable()
      .describe(
        "JSON text of the arguments as they left the gateway, after redaction by guards. Null: they did not leave",
      ),
    is_error: z.boolean().describe("Whether the tool or the provider failed"),
    guard: z.string().nullable().describe("Slug of the guard that acted on the arguments or the result"),
    guard_action: z
      .enum(["warn", "redact", "require_approval", "block"])
      .nullable()
      .describe("What the guard did. `redact`: parts of the arguments or the result were replaced"),
    approval_id: z.string().nullable().describe("The approval that was decided"),
    tokens: z
      .object({
        input: z.int().meta({ description: "Tokens of the prompt", example: 1204 }),
        output: z.int().meta({ description: "Tokens of the answer", example: 88 }),
      })
      .nullable()
      .describe("Of an answer of the model"),
    truncated: z.boolean().describe("Whether text or arguments were longer than 64 KiB"),
    started_at: timestamp("When it started"),
    duration_ms: z.int().meta({ description: "How long it took", example: 840 }),
  })
  .meta({ id: "AgentStep", description: "What happened in a session" });

export const Agent = z
  .object({
    id: recordId("agt"),
    slug: z.string().meta({ description: "Identifies the agent in the API", example: "triage" }),
    name: z.string().meta({ description: "Display name", example: "Issue triage" }),
    description: z.string().describe("For people"),
    status: z.enum(AGENT_STATUSES).describe("Only active agents start sessions"),
    platform: z.enum(PLATFORMS).describe("Where sessions run. It never changes"),
    instructions: z.string().describe("The system prompt"),
    model: z.string().nullable().meta({
      description: "The model's name at the provider. Null: the model of the default provider",
      example: "claude-sonnet-4-5",
    }),
    provider,
    resolved_provider: resolvedProvider,
    platform_config: platformConfig,
    sync: Sync,
    toolkit: z.string().nullable().describe("Slug of its toolkit. Null: every tool that its machine user can use"),
    skills: z.array(z.string()).describe("Slugs of skills that it can read"),
    identity: z.string().nullable().describe("Email of the machine user that it calls tools as. Null: it was deleted"),
    owner_emails: z.array(z.string()).describe("People who are responsible for it"),
    limits,
    triggers,
    notify_url: z.string().nullable().describe("Gets a signed request when a session ends"),
    version: z.int().meta({ description: "Increased when what it does changes", example: 3 }),
    last_session: Session.nullable().describe("The newest session"),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "BackgroundAgent", description: "A model with instructions and tools that works without a person" });

/** F47: secrets that were generated now. They cannot be retrieved later. */
const NewSecrets = z
  .object({
    webhook: z.string().optional().meta({ description: "The secret of the inbound webhook", example: "gh_ah_…" }),
    notify: z.string().optional().meta({ description: "The signing secret of `notify_url`", example: "whsec_…" }),
  })
  .meta({ id: "NewAgentSecrets", description: "Secrets that are shown once. Omitted if none was generated" });

export const SavedAgent = z.object({ data: Agent, secrets: NewSecrets.optional() });

/** The answer to a change, with the secrets that it generated. */
export function savedAgent(
  data: z.input<typeof Agent>,
  secrets: { readonly webhook: string | undefined; readonly notify: string | undefined },
): z.input<typeof SavedAgent> {
  const { webhook, notify } = secrets;
  const shown = { ...(webhook !== undefined && { webhook }), ...(notify !== undefined && { notify }) };
  return { data, ...(Object.keys(shown).length > 0 && { secrets: shown }) };
}
