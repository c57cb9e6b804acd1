import type { Edit } from "#lib/json/splice";
import { answerParts, isComplete } from "../envelope/answer.ts";
import { errorBody, INTERNAL_ERROR, METHOD_NOT_FOUND, resultBody, statusOfError } from "../envelope/errors.ts";
import type { UpstreamError, UpstreamResult } from "../envelope/read-response.ts";
import type { Call } from "./call.ts";

/** Sixth step: records the upstream's result and sends it with the caller's id. */
export function answerResult(call: Call, message: UpstreamResult, edits?: readonly Edit[]): void {
  if (call.request.era === "legacy" && !isComplete(message)) return answerIncomplete(call);
  call.end({ outcome: message.isError ? "tool_error" : "ok", body: partsFor(call, message, edits) });
}

export function answerError(call: Call, message: UpstreamError): void {
  const { request, to } = call;
  request.trace?.failedWith(message.code);
  if (message.code === METHOD_NOT_FOUND && to.resultIfUnknown !== undefined)
    return call.end({ outcome: "ok", body: [resultBody(request.call.rawId, to.resultIfUnknown)] });
  call.end({
    outcome: "error",
    body: partsFor(call, message),
    error: `The server answered with error ${message.code}`,
    status: statusOfError(request.era, message.code),
  });
}

/**
 * A modern server requests input, which this caller's protocol version does not support. It must not look like a
 * success.
 */
function answerIncomplete(call: Call): void {
  const { exchange, call: message } = call.request;
  const error = `Server "${call.to.server.slug}" requires input that this MCP version does not support`;
  const body = [errorBody(message.rawId, INTERNAL_ERROR, error, { requestId: exchange.requestId })];
  call.end({ outcome: "error", body, error });
}

function partsFor(
  { request, context }: Call,
  message: UpstreamResult | UpstreamError,
  edits?: readonly Edit[],
): Buffer[] {
  const { rawId, method } = request.call;
  return answerParts(message, { rawId, method, era: request.era, serverInfo: context.serverInfoJson, edits });
}
