import type { McpRequest, Methods } from "./request.ts";

/** Decision 0043: nothing, unless the organization wants what calls carry to be kept. */
export function keepPayload({ exchange, at, call }: McpRequest, methods: Methods, response: readonly Buffer[]): void {
  const capture = methods.holder.current().limits.payloadCapture;
  if (capture === "metadata" || capture === "off") return;
  methods.payloads.keep({ requestId: exchange.requestId, at, capture, request: call.source.chunks, response });
}
