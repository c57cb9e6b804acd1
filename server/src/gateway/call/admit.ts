import { CONNECTION_ERROR, errorBody } from "../envelope/errors.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import type { Forwarding } from "./call.ts";
import { CALLER_GONE, PendingCall } from "./pending-call.ts";
import { endCall } from "./record.ts";

/** First step: rejects callers who disconnected or are over their limits. Undefined if the request was answered. */
export function admit(request: McpRequest, context: GatewayContext, to: Forwarding): PendingCall | undefined {
  if (request.exchange.gone) {
    // The caller disconnected while it waited for a first sync (GW-13).
    const { serverSlug, tool } = to;
    const ending = { serverSlug, tool, outcome: "cancelled", responseBytes: 0, error: CALLER_GONE } as const;
    endCall(request, context, to.method, ending, () => {});
    return undefined;
  }
  const entry = context.userCallLimiter.take(request.principal.userId, context.holder.current().limits);
  if (!("refusal" in entry)) return new PendingCall(request, context, to, entry);
  refuseBusyCaller(request, context, to, entry.refusal, entry.retrySeconds);
  return undefined;
}

/** D36: the only error response to a call whose HTTP status matters, because clients slow down on 429. */
export function refuseBusyCaller(
  request: McpRequest,
  context: GatewayContext,
  { method, serverSlug, tool }: Pick<Forwarding, "method" | "serverSlug" | "tool">,
  message: string,
  retrySeconds: number,
): void {
  const { exchange, call } = request;
  const body = errorBody(call.rawId, CONNECTION_ERROR, message, { requestId: exchange.requestId });
  const ending = { outcome: "denied", responseBytes: body.length, serverSlug, tool, error: message } as const;
  const headers = [...JSON_HEADERS, "retry-after", String(retrySeconds)];
  endCall(request, context, method, ending, () => exchange.answer(429, headers, [body]));
}
