export interface AgentProvider {
  /** `default`: the installation's, or none on another platform. */
  readonly type: "openai" | "openai-compatible" | "anthropic" | "google" | "scripted" | "default";
  readonly base_url: string | null;
  readonly has_api_key: boolean;
  readonly header_names: readonly string[];
  /** For `scripted`; validated when it was saved. */
  readonly script: readonly Readonly<Record<string, unknown>>[];
}

export interface AgentLimits {
  readonly max_steps: number;
  readonly max_output_tokens: number;
  readonly max_total_tokens: number;
  readonly timeout_seconds: number;
  readonly max_concurrent: number;
}

export interface AgentSchedule {
  /** Five fields. */
  readonly cron: string;
  readonly timezone: string;
  readonly input: string;
  readonly enabled: boolean;
}

/** Settings of an agent on another platform, without secrets. */
export interface AgentPlatformConfig {
  /** `webhook`: where sessions start. `anthropic`: the API, if it is not the provider's own. */
  readonly url: string | null;
  readonly environment_id: string | null;
  readonly vault_ids: readonly string[];
}

/** What the last sync with another platform found. */
export interface AgentSync {
  readonly status: "synced" | "drift" | "error";
  readonly platform_agent_id: string | null;
  readonly platform_version: string | null;
  readonly last_synced_at: number;
  readonly error: string | null;
}

export interface AgentRow {
  id: string;
  slug: string;
  name: string;
  search_text: string;
  description: string;
  /** Only active agents start sessions. */
  status: "draft" | "active" | "paused";
  platform: "builtin" | "anthropic" | "webhook";
  instructions: string;
  /** Empty: the model of the installation's default provider. */
  model: string;
  provider: AgentProvider;
  sealed_provider: string | null;
  /** Slug. Null: everything that the machine user can use. */
  toolkit: string | null;
  /** Slugs. */
  skills: string[];
  /** Null: the machine user was deleted. */
  identity_id: string | null;
  owner_emails: string[];
  limits: AgentLimits;
  version: number;
  schedule: AgentSchedule | null;
  next_run_at: number | null;
  skipped_at: number | null;
  /** Whether signed requests start sessions. */
  hook_enabled: boolean;
  sealed_hook: string | null;
  notify_url: string | null;
  platform_config: AgentPlatformConfig | null;
  sealed_platform: string | null;
  sync: AgentSync | null;
  created_at: number;
  updated_at: number;
}

export type SessionStatus =
  | "queued"
  | "running"
  | "waiting_approval"
  | "completed"
  | "failed"
  | "canceled"
  | "timed_out";

export interface AgentSessionRow {
  id: string;
  agent_id: string;
  agent_version: number;
  platform: AgentRow["platform"];
  cause: "api" | "schedule" | "webhook";
  status: SessionStatus;
  /** After redaction by guards. */
  input: string;
  /** The input as it was given, until the session ends. Null: guards removed nothing. */
  sealed_input: string | null;
  output: string | null;
  error_code: string | null;
  error_message: string | null;
  steps: number;
  tool_calls: number;
  input_tokens: number;
  output_tokens: number;
  platform_session_id: string | null;
  /** The session that this one follows up. */
  parent_id: string | null;
  metadata: Record<string, unknown>;
  /** The name of the actor. */
  requested_by: string;
  requested_by_id: string;
  cancel_requested: boolean;
  /** The approval that it waits for. */
  approval_id: string | null;
  /** The process that runs it. */
  claimed_by: string | null;
  claimed_until: number | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
}

export interface AgentStepRow {
  session_id: string;
  position: number;
  type: "model" | "tool_call" | "tool_result" | "approval" | "error";
  /** JSON. */
  data: string;
  started_at: number;
  duration_ms: number;
}

interface AgentHookRequestRow {
  agent_id: string;
  /** The sender's ID, or the signature. */
  request_key: string;
  session_id: string;
  at: number;
}

export interface AgentTables {
  agent_hook_requests: AgentHookRequestRow;
  agents: AgentRow;
  agent_sessions: AgentSessionRow;
  agent_steps: AgentStepRow;
}
