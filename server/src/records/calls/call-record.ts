import type { AuthMethod, CallGuardAction, CallMethod, CallOutcome } from "#lib/call-vocabulary";

/** One request at the gateway, as the call log stores it (Spec 4.5 rule 4, GW-21). */
export interface CallRecord {
  readonly requestId: string;
  /** Arrival, in epoch milliseconds. */
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
  /** Undefined for a machine user's key. */
  readonly via?: AuthMethod | undefined;
  /** The OAuth client that made the call; of an agent, its slug. */
  readonly client?: string | undefined;
  /** The session of the agent that made the call. */
  readonly agentSession?: string | undefined;
  /** Time from arrival until the request was forwarded. Undefined if it was not forwarded or not measured. */
  readonly forwardedUs?: number | undefined;
  /** The trace ID. */
  readonly traceId?: string | undefined;
  /** The slug of the toolkit that the call was made with or that restricts the server. */
  readonly toolkit?: string | undefined;
  /** The name under which the toolkit exposes the tool; undefined if it is the server's. */
  readonly exposedTool?: string | undefined;
  /** The slug of another toolkit that exposes something under the same name. */
  readonly toolkitConflict?: string | undefined;
  /** What guards found; undefined for most calls. */
  readonly guard?: CallGuard | undefined;
}

export interface CallGuard {
  readonly action: CallGuardAction;
  /** The guard that decided; undefined if the content could not be checked at all. */
  readonly slug: string | undefined;
  readonly findings: readonly CallFinding[];
  /** The approval that the call required. */
  readonly approvalId?: string | undefined;
}

/** How often a check of a guard found something. */
export interface CallFinding {
  readonly guard: string;
  readonly check: string;
  readonly direction: "request" | "response";
  readonly count: number;
}
