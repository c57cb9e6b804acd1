/** What a guard is, as it is stored and shown. Validated by `validate-guard.ts`; compiled by `compile.ts`. */
import type { ModelProvider } from "#lib/model-providers";

export const GUARD_TYPES = ["runtime", "buildtime"] as const;
export type GuardType = (typeof GUARD_TYPES)[number];

/** From the weakest to the strongest. */
export const GUARD_ACTIONS = ["log", "warn", "redact", "require_approval", "block"] as const;
export type GuardAction = (typeof GUARD_ACTIONS)[number];

export const GUARD_DIRECTIONS = ["request", "response", "both"] as const;
export type GuardDirection = (typeof GUARD_DIRECTIONS)[number];
/** The direction of one payload. */
export type Direction = "request" | "response";

export const ENTITY_TYPES = [
  "mcp_server",
  "tool",
  "toolkit",
  "skill",
  "command",
  "plugin",
  "background_agent",
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const ON_ERROR = ["allow", "block"] as const;
export type OnError = (typeof ON_ERROR)[number];

export const CHECK_TYPES = [
  "regex",
  "keyword",
  "pii",
  "secret",
  "prompt_injection",
  "tool_poisoning",
  "json_schema",
  "size",
  "url",
  "webhook",
  "llm",
] as const;
export type CheckType = (typeof CHECK_TYPES)[number];

/**
 * Which calls a runtime guard covers. An empty list means any; all lists that are not empty must match. Groups, servers and
 * users are names in the API and ids in compiled guards; a `CallSubject` must use the same.
 */
export interface GuardScope {
  /** One of the caller's groups must be listed. */
  readonly groups: readonly string[];
  readonly servers: readonly string[];
  /** Globs on the gateway name of the tool, such as `github__*`. */
  readonly tools: readonly string[];
  /** People and machine users. */
  readonly users: readonly string[];
  readonly exclude_servers: readonly string[];
}

export const ANY_SCOPE: GuardScope = { groups: [], servers: [], tools: [], users: [], exclude_servers: [] };

export interface RegexConfig {
  readonly pattern: string;
  /** A combination of i, m and s. */
  readonly flags?: string;
  readonly replacement?: string;
  /** `luhn`, `iban`, `us_ssn` or `entropy:<bits per character>`. */
  readonly validator?: string;
}

export interface KeywordConfig {
  readonly words: readonly string[];
  readonly whole_word: boolean;
  readonly case_sensitive: boolean;
}

export interface PiiConfig {
  readonly entities: readonly string[];
}

export interface SecretConfig {
  readonly providers?: readonly string[];
}

export interface JsonSchemaConfig {
  readonly target: "arguments" | "structuredContent";
  readonly schema: Readonly<Record<string, unknown>> | boolean;
}

export interface SizeConfig {
  readonly max_bytes: number;
}

export interface UrlConfig {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface WebhookConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly send: "text" | "full";
}

export interface LlmConfig {
  readonly provider: ModelProvider;
  readonly model: string;
  /** Required for `openai-compatible`. Default: the provider's. */
  readonly base_url?: string | undefined;
  readonly api_key?: string | undefined;
  readonly prompt: string;
  readonly timeout_ms: number;
}

interface CheckOf<Type extends CheckType, Config> {
  readonly id: string;
  readonly type: Type;
  readonly name: string;
  /** 1 to 10. Checks with graded findings (pii, secret, prompt_injection, tool_poisoning, webhook, llm) do not use it. */
  readonly certainty: number;
  readonly config: Config;
}

export type CheckDefinition =
  | CheckOf<"regex", RegexConfig>
  | CheckOf<"keyword", KeywordConfig>
  | CheckOf<"pii", PiiConfig>
  | CheckOf<"secret", SecretConfig>
  | CheckOf<"prompt_injection", Readonly<Record<string, never>>>
  | CheckOf<"tool_poisoning", Readonly<Record<string, never>>>
  | CheckOf<"json_schema", JsonSchemaConfig>
  | CheckOf<"size", SizeConfig>
  | CheckOf<"url", UrlConfig>
  | CheckOf<"webhook", WebhookConfig>
  | CheckOf<"llm", LlmConfig>;

export interface GuardDefinition {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly type: GuardType;
  readonly enabled: boolean;
  readonly action: GuardAction;
  /** 1 to 10: the guard fires if a finding is at least this certain. */
  readonly threshold: number;
  readonly direction: GuardDirection;
  /** Build-time guards only; runtime guards have none. */
  readonly entity_types: readonly EntityType[];
  readonly scope: GuardScope;
  readonly checks: readonly CheckDefinition[];
  /** Ascending; ties by slug. Decides which guard is named if several lead to the same action. */
  readonly priority: number;
  readonly on_error: OnError;
  /** Shown to the caller if the guard blocks. Never contains matched text. */
  readonly message: string;
}

/** What happens if a check fails, times out or cannot see all of the text, unless the guard says otherwise. */
export function defaultOnError(action: GuardAction): OnError {
  return action === "log" || action === "warn" ? "allow" : "block";
}
