import type { Member } from "#lib/json/scan";
import type { UpstreamError, UpstreamResult } from "../envelope/read-response.ts";
import { answerError, answerResult } from "./answer.ts";
import type { Call } from "./call.ts";
import { endBlocked, whenChecked } from "./end-blocked.ts";
import { type CheckOutcome, runChecks } from "./run-checks.ts";

const ONLY_REQUESTS = "only requests can wait for an approval";
const NO_MEMBERS: ReadonlyMap<string, Member> = new Map();

/**
 * Fifth step: runs the snapshot's checks on the result or the error before it is recorded and sent. Costs nothing
 * without checks.
 */
export function checkResponse(call: Call, message: UpstreamResult | UpstreamError): void {
  const { response: checks } = call.checks;
  if (checks.length === 0) return message.kind === "error" ? answerError(call, message) : answerResult(call, message);
  const { source } = message;
  const result = message.kind === "error" ? { source, result: message.error, members: NO_MEMBERS } : message;
  const outcome = runChecks(checks, call, result);
  if (outcome instanceof Promise) whenChecked(call, outcome, (late) => proceed(call, message, late));
  else proceed(call, message, outcome);
}

function proceed(call: Call, message: UpstreamResult | UpstreamError, outcome: CheckOutcome): void {
  if (outcome.kind === "held") return endBlocked(call, { kind: "failed", error: new Error(ONLY_REQUESTS) });
  if (outcome.kind !== "passed") return endBlocked(call, outcome, "response");
  call.noteReport(outcome.report);
  if (message.kind === "result") answerResult(call, message, outcome.edits);
  else answerError(call, message, outcome.edits, outcome.report !== undefined);
}
