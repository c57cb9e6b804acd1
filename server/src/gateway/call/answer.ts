import { type Edit, splice } from "#lib/json/splice";
import { redactPayload } from "#lib/redact-payload";
import { answerParts, isComplete, isTask } from "../envelope/answer.ts";
import { errorBody, INTERNAL_ERROR, METHOD_NOT_FOUND, resultBody, statusOfError } from "../envelope/errors.ts";
import { INPUT_REQUIRED } from "../envelope/input-required.ts";
import { readResponse, type UpstreamError, type UpstreamResult } from "../envelope/read-response.ts";
import type { Call } from "./call.ts";
import { cutResult, isOversized } from "./cut-result.ts";
import { guardMeta } from "./guard-reports.ts";
import { urlElicitationBody } from "./url-elicitations.ts";

/** Sixth step: records the upstream's result and sends it with the caller's id. */
export function answerResult(call: Call, message: UpstreamResult, edits?: readonly Edit[]): void {
  if (call.to.method === "tools/call" && isTask(message))
    return refuseResult(call, "started a task, which the gateway does not support");
  if (call.request.era === "legacy" && !isComplete(message)) {
    if (message.resultType === INPUT_REQUIRED && call.requestInput(edited(message, edits))) return;
    return refuseResult(call, "requires input that the client cannot provide with this request");
  }
  if (isOversized(call, message)) return answerCut(call, edited(message, edits));
  endWithResult(call, message, edits);
}

/** F20. The call can end while its text is stored; then nothing is sent. */
function answerCut(call: Call, message: UpstreamResult): void {
  const cutting = cutResult(call, message);
  if (cutting === undefined) return endWithResult(call, message);
  cutting
    .then((cut) => endWithResult(call, cut))
    .catch((error: unknown) => {
      call.context.logger.error({ err: error, server: call.to.server.slug }, "a result could not be cut");
      refuseResult(call, "returned a result that could not be cut");
    });
}

function endWithResult(call: Call, message: UpstreamResult, edits?: readonly Edit[]): void {
  const { request, context, to } = call;
  if (to.method === "tools/call" && request.scope.slug === undefined)
    context.links.note(request.principal.userId, to.server.id, message);
  call.end({ outcome: message.isError ? "tool_error" : "ok", body: partsFor(call, message, edits) });
}

/** `isFlagged`: guards found something in the error, so its text is not logged. */
export function answerError(call: Call, message: UpstreamError, edits?: readonly Edit[], isFlagged = false): void {
  const { request, to } = call;
  request.trace?.failedWith(message.code);
  if (message.code === METHOD_NOT_FOUND && to.resultIfUnknown !== undefined)
    return call.end({ outcome: "ok", body: [resultBody(request.call.rawId, to.resultIfUnknown)] });
  const elicitation = isEdited(edits) ? undefined : urlElicitationBody(call, message);
  if (elicitation) return call.end({ outcome: "ok", body: [elicitation] });
  call.end({
    outcome: "error",
    body: partsFor(call, message, edits),
    error: isFlagged ? withoutText(message) : loggedError(message),
    status: statusOfError(request.era, message.code),
  });
}

/** Longer messages of upstreams are truncated in the log. */
const MAX_LOGGED_MESSAGE = 300;

/** Decision 0043: errors are metadata, but the upstream's text is redacted like a payload because it can contain arguments. */
function loggedError({ code, message }: UpstreamError): string {
  const text = message.length > MAX_LOGGED_MESSAGE ? `${message.slice(0, MAX_LOGGED_MESSAGE)}…` : message;
  return text === "" ? withoutText({ code }) : `${redactPayload(text)} (${code})`;
}

function withoutText({ code }: Pick<UpstreamError, "code">): string {
  return `The server answered with error ${code}`;
}

function isEdited(edits: readonly Edit[] | undefined): edits is readonly Edit[] {
  return edits !== undefined && edits.length > 0;
}

/** For results that are read again instead of sent. */
function edited(message: UpstreamResult, edits: readonly Edit[] | undefined): UpstreamResult {
  if (!isEdited(edits)) return message;
  const again = readResponse(splice(message.source, edits));
  if (again.kind !== "result") throw new Error("a redacted result is not valid");
  return again;
}

/** A result that the caller cannot use must not look like a success. */
function refuseResult(call: Call, reason: string): void {
  const { exchange, call: message } = call.request;
  const error = `Server "${call.to.server.slug}" ${reason}`;
  const body = [errorBody(message.rawId, INTERNAL_ERROR, error, { requestId: exchange.requestId })];
  call.end({ outcome: "error", body, error });
}

function partsFor(
  { request, context, report }: Call,
  message: UpstreamResult | UpstreamError,
  edits?: readonly Edit[],
): Buffer[] {
  const { rawId, method } = request.call;
  return answerParts(message, {
    rawId,
    method,
    era: request.era,
    serverInfo: context.serverInfoJson,
    edits,
    meta: guardMeta(report),
  });
}
