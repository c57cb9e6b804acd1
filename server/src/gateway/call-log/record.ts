/** One request at the gateway, as the log keeps it (Spec 4.5 rule 4, GW-21). */

/** Stored as its index: append only. */
export const OUTCOMES = [
  "ok", // the upstream answered with a result
  "tool_error", // a result with isError
  "error", // a JSON-RPC error from the upstream
  "denied", // refused by us: unknown or unreachable tool, bad request
  "upstream_failed", // unreachable, broken or too large an answer
  "timeout",
  "cancelled", // the caller went away
  "interrupted", // we were killed while it was under way
  "not_connected", // the server asks for the user's own access, and there is none that it accepts
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Stored as its index: append only. Methods that are not here are logged as `other`. */
export const LOGGED_METHODS = [
  "other",
  "tools/call",
  "tools/list",
  "prompts/get",
  "resources/read",
  "completion/complete",
] as const;
export type LoggedMethod = (typeof LOGGED_METHODS)[number];

/** How a caller proved who they are. Stored as its index: append only. */
export const AUTH_METHODS = ["machine_key", "oauth", "exchange", "agent", "app"] as const;
export type CallVia = (typeof AUTH_METHODS)[number];

export interface StartedCall {
  /** Unique over all processes; it ties the begin mark to its record. */
  readonly requestId: string;
  /** Wall clock, epoch milliseconds. */
  readonly at: number;
  readonly method: LoggedMethod;
  readonly userId: string;
  readonly userEmail: string;
  readonly serverSlug: string | undefined;
  /** The upstream's name of the tool. */
  readonly tool: string | undefined;
  readonly requestBytes: number;
  /** Absent: by a machine user's key. */
  readonly via?: CallVia | undefined;
  /** The OAuth client that called for them. */
  readonly client?: string | undefined;
}

export interface EndedCall extends StartedCall {
  readonly outcome: Outcome;
  readonly durationUs: number;
  readonly responseBytes: number;
  /** A short public sentence; never a secret, never an upstream's body. */
  readonly error: string | undefined;
  /** How long after its arrival it left for its server; undefined: it never did. */
  readonly forwardedUs?: number | undefined;
  /** Of the trace that it belongs to. */
  readonly traceId?: string | undefined;
}
