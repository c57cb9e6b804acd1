import type { EndedCall, LoggedMethod, Outcome } from "../call-log/record.ts";
import { errorBody, INTERNAL_ERROR } from "../envelope/errors.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import { toolkitOf } from "../request-scope.ts";
import type { GuardReport } from "../snapshot/shape.ts";
import type { Begun } from "./forwarding.ts";

export interface Ending {
  readonly outcome: Outcome;
  readonly responseBytes: number;
  readonly serverSlug?: string | undefined;
  readonly tool?: string | undefined;
  readonly error?: string | undefined;
  /** Monotonic clock. */
  readonly forwardedAt?: number | undefined;
  readonly guard?: GuardReport | undefined;
}

export function startedCall(
  request: McpRequest,
  { holder }: GatewayContext,
  method: LoggedMethod,
  { serverSlug, tool }: Begun,
) {
  const { via, clientId } = request.principal;
  const isKey = via === "machine_key";
  return {
    requestId: request.exchange.requestId,
    at: request.at,
    method,
    userId: request.principal.userId,
    userEmail: request.principal.email,
    serverSlug,
    tool,
    requestBytes: holder.current().limits.payloadCapture === "off" ? 0 : request.call.source.length,
    via: isKey ? undefined : via,
    client: isKey ? undefined : clientId,
    traceId: request.trace?.traceId,
    toolkit: request.exposed?.toolkit ?? toolkitOf(request),
    exposedTool: request.exposed?.tool,
    toolkitConflict: request.exposed?.toolkitConflict,
  };
}

/** GW-21: a response is sent only after its record is in the spool. If the spool cannot be written, the caller gets a 503. */
export function endCall(
  request: McpRequest,
  context: GatewayContext,
  method: LoggedMethod,
  ending: Ending,
  answer: () => void,
): void {
  try {
    context.calls.end(finish(request, context, method, ending), (failure) => {
      if (failure === undefined) answer();
      else refuseUnlogged(request, context, failure, ending.forwardedAt !== undefined);
    });
  } catch (error) {
    refuseUnlogged(request, context, error, ending.forwardedAt !== undefined);
  }
}

const UNSENT = "The call log could not be written, so the call was not sent";

/** For a call that was refused because its begin mark is still waiting for the disk. */
export function recordUnsent(request: McpRequest, context: GatewayContext, method: LoggedMethod, to: Begun): void {
  const { serverSlug, tool } = to;
  const ended = finish(request, context, method, {
    outcome: "denied",
    responseBytes: 0,
    serverSlug,
    tool,
    error: UNSENT,
  });
  try {
    context.calls.end(ended, () => {});
  } catch (error) {
    context.logger.error({ err: error, requestId: ended.requestId }, "a rejected call could not be logged");
  }
}

/** Ends the trace of a call and returns its record. */
function finish(request: McpRequest, context: GatewayContext, method: LoggedMethod, ending: Ending): EndedCall {
  const { exchange, principal } = request;
  const isKey = principal.via === "machine_key";
  const { forwardedAt } = ending;
  const isOff = context.holder.current().limits.payloadCapture === "off";
  const ended = {
    requestId: exchange.requestId,
    at: request.at,
    method,
    userId: principal.userId,
    userEmail: principal.email,
    serverSlug: ending.serverSlug,
    tool: ending.tool,
    requestBytes: isOff ? 0 : request.call.source.length,
    via: isKey ? undefined : principal.via,
    client: isKey ? undefined : principal.clientId,
    outcome: ending.outcome,
    durationUs: Math.round((context.clock.monotonic() - request.startedAt) * 1000),
    responseBytes: isOff ? 0 : ending.responseBytes,
    error: isOff ? undefined : ending.error,
    forwardedUs: forwardedAt === undefined ? undefined : Math.round((forwardedAt - request.startedAt) * 1000),
    traceId: request.trace?.traceId,
    toolkit: request.exposed?.toolkit ?? toolkitOf(request),
    exposedTool: request.exposed?.tool,
    toolkitConflict: request.exposed?.toolkitConflict,
    guard: ending.guard,
  };
  request.trace?.finish(request.call, exchange.header("mcp-protocol-version") ?? request.session?.version, ended);
  return ended;
}

/** GW-21: a call that cannot be logged is neither forwarded nor answered. */
export function refuseUnlogged(
  { exchange, call }: McpRequest,
  { logger }: GatewayContext,
  error: unknown,
  wasForwarded = false,
): void {
  logger.error({ err: error, requestId: exchange.requestId }, "rejected a call that could not be logged");
  const text = wasForwarded ? "the server may have executed the call" : "try again";
  const body = errorBody(call.rawId, INTERNAL_ERROR, `The call log cannot be written; ${text}`);
  exchange.fail(503, [...JSON_HEADERS, "retry-after", "5"], [body]);
}
