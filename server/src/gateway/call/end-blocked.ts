import type { MetaMember } from "../envelope/answer.ts";
import { errorBody, GUARD_BLOCKED, INTERNAL_ERROR, resultBody } from "../envelope/errors.ts";
import { resultTail } from "../lists/result-members.ts";
import type { Call } from "./call.ts";
import { guardMeta } from "./guard-reports.ts";
import type { CheckOutcome } from "./run-checks.ts";

const CHECK_FAILED = "The call could not be checked";

/** Ends a call that the checks blocked. */
export function endBlocked(
  call: Call,
  outcome: Extract<CheckOutcome, { kind: "blocked" | "failed" }>,
  direction?: "request" | "response",
): void {
  if (outcome.kind === "blocked") {
    const { message: error, report } = outcome;
    call.noteReport(report);
    const body = [blockedBody(call, error, GUARD_BLOCKED, guardMeta(report))];
    call.end({ outcome: "blocked", body, error, hidesRequest: direction === "request" });
    return;
  }
  const { requestId } = call.request.exchange;
  call.context.logger.error({ err: outcome.error, requestId }, "a check failed, so the call was blocked");
  call.end({ outcome: "error", body: [blockedBody(call, CHECK_FAILED, INTERNAL_ERROR)], error: CHECK_FAILED });
}

/** An error in a later step ends this call, like an error in the request's own turn. */
export function whenChecked(
  call: Call,
  outcome: Promise<CheckOutcome>,
  proceed: (outcome: CheckOutcome) => void,
): void {
  outcome.then(proceed).catch((error: unknown) => endBlocked(call, { kind: "failed", error }));
}

/** A tool result, because models read those; an error, with the data, for other methods. */
export function blockedBody(
  { request, context }: Call,
  message: string,
  code: number,
  meta?: MetaMember,
  data: object = {},
): Buffer {
  const { call, era, exchange } = request;
  if (call.method !== "tools/call")
    return errorBody(call.rawId, code, message, { requestId: exchange.requestId, ...data });
  const content = JSON.stringify([{ type: "text", text: message }]);
  const tail = resultTail(era, context.serverInfo, false, "", meta && `"${meta.key}":${meta.json}`);
  return resultBody(call.rawId, `{"content":${content},"isError":true${tail}}`);
}
