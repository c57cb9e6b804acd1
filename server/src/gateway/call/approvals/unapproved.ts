import { GUARD_BLOCKED } from "../../envelope/errors.ts";
import type { ApprovalState } from "../../ports.ts";
import type { HoldingGuard } from "../../snapshot/shape.ts";
import type { Call } from "../call.ts";
import { blockedBody } from "../end-blocked.ts";
import { guardMeta } from "../guard-reports.ts";

/** Why a call does not continue. `obstructed`: it is approved, but something else prevents it. */
export type Unapproved =
  | Exclude<ApprovalState, { kind: "used" }>
  | { readonly kind: "obstructed"; readonly id: string; readonly obstacle: string };

/** Ends a call that is not approved, with a text that models understand. */
export function endUnapproved(call: Call, guard: HoldingGuard, state: Unapproved): void {
  const { context } = call;
  const id = state.kind === "refused" ? undefined : state.id;
  const url = id === undefined ? undefined : context.approvalUrl(id);
  const data = id === undefined ? {} : { approvalId: id, approvalUrl: url };
  call.end({
    outcome: state.kind === "pending" ? "pending_approval" : state.kind === "obstructed" ? "denied" : "blocked",
    body: [blockedBody(call, textOf(state, guard, url), GUARD_BLOCKED, guardMeta(call.report), data)],
    error: logged(state),
    hidesRequest: true,
  });
}

function textOf(state: Unapproved, guard: HoldingGuard, url: string | undefined): string {
  const why = `Guard "${guard.name}" requires an approval${guard.message === "" ? "" : `: ${guard.message}`}`;
  switch (state.kind) {
    case "pending": {
      const until = new Date(state.expiresAt).toISOString().slice(11, 16);
      const how = `An owner or admin can approve this call until ${until} UTC: ${url}`;
      const next = "After the approval, send the same call with identical arguments again within an hour.";
      return `Approval required: ${state.id}\n${why}. ${how}\n${next}`;
    }
    case "denied":
      return `Denied: an owner or admin denied this call${state.note ? `: ${state.note}` : ""}\n${why}. ${url}`;
    case "expired":
      return `Approval ${state.id} expired before anyone decided. Send the call again to request a new one.`;
    case "gone":
      return `Approval ${state.id} has been used by an identical call. Send the call again to request a new one.`;
    case "obstructed":
      return `The call is approved, but it cannot continue: ${state.obstacle}. The approval stays valid for an hour: ${url}`;
    case "refused":
      return `Blocked: ${why}, but this call cannot wait for one: ${state.message}`;
  }
}

/** For the log, without the note: only admins and the caller need it. */
function logged(state: Unapproved): string {
  switch (state.kind) {
    case "pending":
      return `Waiting for approval ${state.id}`;
    case "denied":
      return `Approval ${state.id} was denied`;
    case "expired":
      return `Approval ${state.id} expired`;
    case "gone":
      return `Approval ${state.id} was used by another call`;
    case "obstructed":
      return state.obstacle;
    case "refused":
      return `The call cannot wait for an approval: ${state.message}`;
  }
}

/**
 * Progress must increase, also when the server reports its own later. Servers count from 0 or 1, so waiting takes tiny
 * steps.
 */
export function progressEvent(rawToken: string, n: number, url: string): Buffer {
  const message = JSON.stringify(`Waiting for an approval: ${url}`);
  const params = `{"progressToken":${rawToken},"progress":${n / 1_000_000},"message":${message}}`;
  return Buffer.from(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`);
}
