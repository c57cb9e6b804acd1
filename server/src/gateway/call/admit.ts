import { CONNECTION_ERROR, errorBody } from "../envelope/errors.ts";
import type { Forwarding } from "./call.ts";
import { CALLER_GONE, PendingCall } from "./pending-call.ts";
import { endCall, JSON_HEADERS, type McpRequest, type Methods } from "./request.ts";

/** First step: callers who left and callers over their limits do not get further. Undefined: it was answered. */
export function admit(request: McpRequest, methods: Methods, to: Forwarding): PendingCall | undefined {
  if (request.exchange.gone) {
    // It left while a first sync was awaited (GW-13).
    const { serverSlug, tool } = to;
    const ending = { serverSlug, tool, outcome: "cancelled", responseBytes: 0, error: CALLER_GONE } as const;
    endCall(request, methods, to.method, ending, () => {});
    return undefined;
  }
  const share = methods.callerShares.take(request.principal.userId, methods.holder.current().limits);
  if (!("refusal" in share)) return new PendingCall(request, methods, to, share);
  refuseBusyCaller(request, methods, to, share.refusal, share.retrySeconds);
  return undefined;
}

/** D36: the only answer to a call whose HTTP status matters, because clients slow down on 429. */
function refuseBusyCaller(
  request: McpRequest,
  methods: Methods,
  { method, serverSlug, tool }: Forwarding,
  message: string,
  retrySeconds: number,
): void {
  const { exchange, call } = request;
  const body = errorBody(call.rawId, CONNECTION_ERROR, message, { requestId: exchange.requestId });
  const ending = { outcome: "denied", responseBytes: body.length, serverSlug, tool, error: message } as const;
  const headers = [...JSON_HEADERS, "retry-after", String(retrySeconds)];
  endCall(request, methods, method, ending, () => exchange.answer(429, headers, [body]));
}
