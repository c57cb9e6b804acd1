import type { GatewayContext, McpRequest } from "../request.ts";

/** Decision 0043: captures payloads only if the organization enabled that. */
export function capturePayload(
  { exchange, at, call }: McpRequest,
  context: GatewayContext,
  response: readonly Buffer[],
): void {
  const capture = context.holder.current().limits.payloadCapture;
  if (capture === "metadata" || capture === "off") return;
  context.payloads.add({ requestId: exchange.requestId, at, capture, request: call.source.chunks, response });
}
