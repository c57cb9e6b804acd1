import { type Edit, spliceParts } from "#lib/json/splice";
import type { GatewayContext, McpRequest } from "../request.ts";

export interface CapturedCall {
  readonly request: McpRequest;
  readonly context: GatewayContext;
  /** Edits of the request by guards, which are captured instead of the original. */
  readonly requestEdits: readonly Edit[];
}

/** Decision 0043: captures payloads only if the organization enabled that. */
export function capturePayload(
  { request, context, requestEdits }: CapturedCall,
  response: readonly Buffer[],
  hidesRequest = false,
): void {
  const { payloadCapture: capture, payloadCaptureUntil: until } = context.holder.current().limits;
  if (capture === "metadata" || capture === "off") return;
  const { exchange, at, call } = request;
  if (until !== undefined && at >= until) return;
  const sent = requestEdits.length === 0 ? call.source.chunks : spliceParts(call.source, requestEdits);
  const captured = hidesRequest ? [] : sent;
  context.payloads.add({ requestId: exchange.requestId, at, capture, request: captured, response });
}
