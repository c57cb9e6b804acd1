/** Stored as its index: append only. */
export const CALL_OUTCOMES = [
  "ok",
  "tool_error",
  "error",
  "denied",
  "upstream_failed",
  "timeout",
  "cancelled",
  "interrupted",
  "not_connected",
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Stored as its index: append only. */
export const CALL_METHODS = [
  "other",
  "tools/call",
  "tools/list",
  "prompts/get",
  "resources/read",
  "completion/complete",
] as const;
export type CallMethod = (typeof CALL_METHODS)[number];

/** How a caller proved who they are. Stored as its index: append only. */
export const AUTH_METHODS = ["machine_key", "oauth", "exchange", "agent", "app"] as const;
export type CallVia = (typeof AUTH_METHODS)[number];

/** One request at the gateway, as the log keeps it (Spec 4.5 rule 4, GW-21). */
export interface CallRecord {
  readonly requestId: string;
  /** When it came, epoch milliseconds. */
  readonly at: number;
  readonly method: CallMethod;
  readonly userId: string;
  readonly userEmail: string;
  readonly serverSlug: string | undefined;
  readonly tool: string | undefined;
  readonly requestBytes: number;
  readonly outcome: CallOutcome;
  readonly durationUs: number;
  readonly responseBytes: number;
  readonly error: string | undefined;
  /** Absent: by a machine user's key. */
  readonly via?: CallVia | undefined;
  /** The OAuth client that called for them. */
  readonly client?: string | undefined;
  /** How long after its arrival it left for its server; undefined: it never did, or that was not noted. */
  readonly forwardedUs?: number | undefined;
  /** Of the trace that it belongs to. */
  readonly traceId?: string | undefined;
}
