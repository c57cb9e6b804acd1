import { errorBody, METHOD_NOT_FOUND, resultBody } from "../../envelope/errors.ts";
import type { UpstreamRequest } from "../../envelope/read-response.ts";

/** Bounds the replies to an upstream that sends requests endlessly and does not read the replies (GW-10). */
export const MAX_PENDING_REPLIES = 16;

export function jsonRpc(message: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

export function cancellation(id: number): Buffer {
  return jsonRpc({ method: "notifications/cancelled", params: { requestId: id } });
}

/** The reply to a request that no client receives: a result for `ping`, else an error. */
export function replyTo({ method, rawId }: UpstreamRequest): Buffer {
  return method === "ping" ? resultBody(rawId, "{}") : errorBody(rawId, METHOD_NOT_FOUND, "Method not found");
}
