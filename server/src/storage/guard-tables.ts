/** A check as it is stored: without the headers of webhooks and API keys of models, which are sealed. */
export interface StoredCheck {
  id: string;
  type: string;
  name: string;
  certainty: number;
  config: Record<string, unknown>;
  /** Names of the sealed headers of a webhook. */
  header_names?: string[];
  /** Whether the API key of a model is sealed. */
  has_api_key?: boolean;
}

/** Groups, servers and users by id. An empty list means any. */
export interface StoredScope {
  groups: string[];
  servers: string[];
  /** Globs on gateway names of tools. */
  tools: string[];
  users: string[];
  exclude_servers: string[];
}

export interface GuardRow {
  id: string;
  /** The built-in guard that this row is. Null: a guard of admins. */
  builtin_key: string | null;
  slug: string;
  name: string;
  description: string;
  search_text: string;
  type: "runtime" | "buildtime";
  enabled: boolean;
  action: "log" | "warn" | "redact" | "require_approval" | "block";
  threshold: number;
  direction: "request" | "response" | "both";
  entity_types: ("mcp_server" | "tool" | "toolkit" | "skill" | "command" | "plugin" | "background_agent")[];
  scope: StoredScope;
  checks: StoredCheck[];
  sealed_headers: string | null;
  priority: number;
  /** Null: the default for the action. */
  on_error: "allow" | "block" | null;
  message: string;
  created_at: number;
  updated_at: number;
}

export interface GuardTables {
  guards: GuardRow;
}
