import type { Edit } from "#lib/json/splice";
import type { Outcome } from "../call-log/record.ts";
import type { UpstreamResult } from "../envelope/read-response.ts";
import type { GatewayContext, McpRequest } from "../request.ts";
import type { CallChecks, GuardReport } from "../snapshot/shape.ts";
import type { Forwarding } from "./forwarding.ts";
import type { CheckableCall } from "./run-checks.ts";

export type { Forwarding };

/** How a call ends. */
export interface CallEnding {
  readonly outcome: Outcome;
  readonly body: readonly Buffer[];
  readonly error?: string | undefined;
  /** Default 200. */
  readonly status?: number | undefined;
  /** The request was blocked, so its payload is not captured. */
  readonly hidesRequest?: boolean | undefined;
}

/** A call as its steps use it. */
export interface Call extends CheckableCall {
  readonly request: McpRequest;
  readonly context: GatewayContext;
  readonly to: Forwarding;
  /** Of the snapshot at the start of the call. */
  readonly checks: CallChecks;
  /** What guards found so far. */
  readonly report: GuardReport | undefined;
  noteReport(report: GuardReport | undefined): void;
  /** Edits of the caller's message by the request checks. */
  requestEdits: readonly Edit[];
  readonly ended: boolean;
  /** JSON text of members that a repeated request has in addition. */
  readonly inputMembers: string | undefined;
  send(): void;
  /** Sends a message to a caller that accepts events. */
  sendEvent(event: Buffer): void;
  /** Keeps the connection of a silent call open. */
  waiting(now: number): void;
  /** Until it continues or ends, the call takes no place in the limits of its group and its tool. */
  waitForApproval(whenEnded: () => void): void;
  /** Checks the caller's access again, and returns why the call cannot continue. */
  continueApproved(): string | undefined;
  requestInput(message: UpstreamResult): boolean;
  /** Records the call, then answers it. */
  end(ending: CallEnding): void;
  /** Its begin mark could not be written. */
  neverBegan(): void;
}
