export interface AgentProvider {
  readonly type: "openai" | "openai-compatible" | "anthropic" | "google" | "scripted";
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

export interface AgentRow {
  id: string;
  slug: string;
  name: string;
  search_text: string;
  description: string;
  /** Only active agents start sessions. */
  status: "draft" | "active" | "paused";
  platform: "builtin";
  instructions: string;
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
  input: string;
  output: string | null;
  error_code: string | null;
  error_message: string | null;
  steps: number;
  tool_calls: number;
  input_tokens: number;
  output_tokens: number;
  /** The session that this one follows up. */
  parent_id: string | null;
  metadata: Record<string, unknown>;
  /** The name of the actor. */
  requested_by: string;
  requested_by_id: string;
  cancel_requested: boolean;
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

export interface AgentTables {
  agents: AgentRow;
  agent_sessions: AgentSessionRow;
  agent_steps: AgentStepRow;
}
