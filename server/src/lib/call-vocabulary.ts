/**
 * Vocabularies of the call log. The spool and the database store an entry as its index in the list, so the lists are
 * append-only: never remove, reorder or rename an entry. `openapi/constants.ts` repeats them for the app and the CLI.
 */

export const CALL_OUTCOMES = [
  "ok", // the upstream returned a result
  "tool_error", // a result with isError
  "error", // a JSON-RPC error from the upstream
  "denied", // rejected by the gateway: unknown or inaccessible tool, or invalid request
  "upstream_failed", // unreachable, or an invalid or too large response
  "timeout",
  "cancelled", // the caller disconnected or cancelled
  "interrupted", // the gateway process ended during the call
  "not_connected", // the server requires the user's credential, and the user has no valid one
  "blocked", // a guard blocked the request or the response
  "pending_approval", // a guard holds the call until a person approves it
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Other methods are logged as `other`. */
export const CALL_METHODS = [
  "other",
  "tools/call",
  "tools/list",
  "prompts/get",
  "resources/read",
  "completion/complete",
  "plugin.fetch", // by git or as JSON, without MCP
] as const;
export type CallMethod = (typeof CALL_METHODS)[number];

/** The methods that count as calls; the others list something or manage the session. */
export const FORWARDED_METHODS: readonly CallMethod[] = [
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
  "plugin.fetch",
];

/** What a caller authenticated with. */
export const AUTH_METHODS = ["machine_key", "oauth", "exchange", "agent", "app", "library"] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** What guards did with a call. */
export const CALL_GUARD_ACTIONS = ["log", "warn", "redact", "require_approval", "block"] as const;
export type CallGuardAction = (typeof CALL_GUARD_ACTIONS)[number];
