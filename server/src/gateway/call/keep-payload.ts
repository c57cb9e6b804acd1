import type { GatewayContext, McpRequest } from "../request.ts";

/** Decision 0043: nothing, unless the organization wants what calls carry to be kept. */
export function keepPayload(
  { exchange, at, call }: McpRequest,
  context: GatewayContext,
  response: readonly Buffer[],
): void {
  const capture = context.holder.current().limits.payloadCapture;
  if (capture === "metadata" || capture === "off") return;
  context.payloads.keep({ requestId: exchange.requestId, at, capture, request: call.source.chunks, response });
}
