import { holdForApproval } from "./approvals/hold-for-approval.ts";
import { begin } from "./begin.ts";
import type { Call } from "./call.ts";
import { endBlocked, whenChecked } from "./end-blocked.ts";
import { type CheckOutcome, runChecks } from "./run-checks.ts";

/**
 * Second step: runs the snapshot's checks on the call before its begin mark is written. Costs nothing without checks.
 */
export function checkRequest(call: Call): void {
  const { request: checks } = call.checks;
  if (checks.length === 0) return begin(call);
  const outcome = runChecks(checks, call, undefined);
  if (outcome instanceof Promise) whenChecked(call, outcome, (late) => proceed(call, late));
  else proceed(call, outcome);
}

function proceed(call: Call, outcome: CheckOutcome): void {
  if (call.ended) return;
  if (outcome.kind === "held") return holdForApproval(call, outcome);
  if (outcome.kind !== "passed") return endBlocked(call, outcome, "request");
  call.requestEdits = outcome.edits;
  call.noteReport(outcome.report);
  begin(call);
}
