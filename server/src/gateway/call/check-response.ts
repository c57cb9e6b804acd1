import type { UpstreamError, UpstreamResult } from "../envelope/read-response.ts";
import { answerError, answerResult } from "./answer.ts";
import type { Call } from "./call.ts";
import { endBlocked, whenChecked } from "./end-blocked.ts";
import { type CheckOutcome, runChecks } from "./run-checks.ts";

/**
 * Fifth step: runs the snapshot's checks on the result before it is recorded and sent. Costs nothing without checks.
 */
export function checkResponse(call: Call, message: UpstreamResult | UpstreamError): void {
  const { response: checks } = call.context.holder.current().checks;
  if (message.kind === "error") return answerError(call, message);
  if (checks.length === 0) return answerResult(call, message);
  const { checked } = call;
  const outcome = runChecks(checks, (check) => check.check(checked, message));
  if (outcome instanceof Promise) whenChecked(call, outcome, (late) => proceed(call, message, late));
  else proceed(call, message, outcome);
}

function proceed(call: Call, message: UpstreamResult, outcome: CheckOutcome): void {
  if (outcome.kind === "passed") answerResult(call, message, outcome.edits);
  else endBlocked(call, outcome);
}
