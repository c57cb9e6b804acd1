import type { AuthMethod, CallMethod, CallOutcome } from "#lib/call-vocabulary";
import type { GuardReport } from "../snapshot/shape.ts";

/** One gateway request, as the call log stores it (Spec 4.5 rule 4, GW-21). */

export type { AuthMethod as CallVia, CallMethod as LoggedMethod, CallOutcome as Outcome };

export interface StartedCall {
  /** Unique across all processes. Links the begin mark to its record. */
  readonly requestId: string;
  /** Wall clock, epoch milliseconds. */
  readonly at: number;
  readonly method: CallMethod;
  readonly userId: string;
  readonly userEmail: string;
  readonly serverSlug: string | undefined;
  /** The upstream's name of the tool. */
  readonly tool: string | undefined;
  readonly requestBytes: number;
  /** Absent for a machine user's key. */
  readonly via?: AuthMethod | undefined;
  /** The OAuth client that made the call. */
  readonly client?: string | undefined;
  readonly traceId?: string | undefined;
  /** The slug of the toolkit that the call was made with or that restricts the server. */
  readonly toolkit?: string | undefined;
  /** The name under which the toolkit exposes the tool, without the prefix; absent if it is the upstream's. */
  readonly exposedTool?: string | undefined;
  /** The slug of another toolkit that exposes something under the same name. */
  readonly toolkitConflict?: string | undefined;
}

export interface EndedCall extends StartedCall {
  readonly outcome: CallOutcome;
  readonly durationUs: number;
  readonly responseBytes: number;
  /** A short public message without secrets and without the upstream's body. */
  readonly error: string | undefined;
  /** Time from arrival until the request was forwarded. Undefined if it was not forwarded. */
  readonly forwardedUs?: number | undefined;
  /** What guards found; undefined for most calls. */
  readonly guard?: LoggedGuard | undefined;
}

export type LoggedGuard = Pick<GuardReport, "action" | "slug" | "findings" | "approvalId">;
