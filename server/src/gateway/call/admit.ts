import { CONNECTION_ERROR, errorBody } from "../envelope/errors.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import type { Forwarding } from "./call.ts";
import type { CallCount } from "./call-limiter.ts";
import { type CallRefusal, takeSlots } from "./call-slots.ts";
import { CALLER_GONE, PendingCall } from "./pending-call.ts";
import { type Ending, endCall } from "./record.ts";

/** First step: rejects callers who disconnected or are over a limit. Undefined if the request was answered. */
export function admit(request: McpRequest, context: GatewayContext, to: Forwarding): PendingCall | undefined {
  if (request.exchange.gone) {
    // The caller disconnected while it waited for a first sync (GW-13).
    const { serverSlug, tool } = to;
    const ending = { serverSlug, tool, outcome: "cancelled", responseBytes: 0, error: CALLER_GONE } as const;
    endCall(request, context, to.method, ending, () => {});
    return undefined;
  }
  const refusal = userRefusal(request, context);
  const slots = refusal ?? takeSlots(request, context, to);
  if (slots && "message" in slots) {
    refuseBusyCaller(request, context, to, slots);
    return undefined;
  }
  return new PendingCall(request, context, to, { user: countForUser(request, context), slots });
}

/** D36: whether the user has too many calls. */
export function userRefusal(request: McpRequest, { callLimiter, holder }: GatewayContext): CallRefusal | undefined {
  const shortage = callLimiter.shortage(callLimiter.of(request.principal.userId), holder.current().limits.user);
  if (!shortage) return undefined;
  const { limit, value, inFlight, retrySeconds } = shortage;
  const message =
    limit === "concurrent calls"
      ? `Too many concurrent calls: ${inFlight} of your calls are in progress`
      : `Too many calls: the limit is ${value} per minute; try again in ${retrySeconds} s`;
  return { message, retrySeconds };
}

export function countForUser(request: McpRequest, { callLimiter, holder }: GatewayContext): CallCount {
  return callLimiter.count(callLimiter.of(request.principal.userId), holder.current().limits.user);
}

/** D36: the only error response to a call whose HTTP status matters, because clients slow down on 429. */
export function refuseBusyCaller(
  request: McpRequest,
  context: GatewayContext,
  { method, serverSlug, tool }: Pick<Forwarding, "method"> & Pick<Ending, "serverSlug" | "tool">,
  { message, retrySeconds }: CallRefusal,
): void {
  const { exchange, call } = request;
  const body = errorBody(call.rawId, CONNECTION_ERROR, message, { requestId: exchange.requestId });
  const ending = { outcome: "denied", responseBytes: body.length, serverSlug, tool, error: message } as const;
  const headers = [...JSON_HEADERS, "retry-after", String(retrySeconds)];
  endCall(request, context, method, ending, () => exchange.answer(429, headers, [body]));
}
