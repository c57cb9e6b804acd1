import type { GatewayContext, McpRequest } from "../request.ts";
import { admit } from "./admit.ts";
import type { Forwarding } from "./call.ts";
import { checkRequest } from "./check-request.ts";
import { continueCall } from "./held/continue-call.ts";

/**
 * Forwards a resolved request: admit → check request → begin → send → check response → record and answer. Each step
 * calls the next one, and they share the `PendingCall`. Without checks, everything up to the upstream request happens
 * in one turn of the event loop.
 */
export function forward(request: McpRequest, context: GatewayContext, to: Forwarding): void {
  if (request.era === "modern" && continueCall(request, context, to)) return;
  const call = admit(request, context, to);
  if (call) checkRequest(call);
}
