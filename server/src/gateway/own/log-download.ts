import type { Exchange } from "../exchange.ts";
import { type GatewayContext, JSON_HEADERS } from "../request.ts";
import type { Principal } from "../snapshot/authenticate.ts";

export interface Download {
  readonly method: "resources/read" | "plugin.fetch";
  /** What was downloaded, in the column of tools. */
  readonly name: string;
  readonly requestBytes: number;
  readonly body: readonly Buffer[];
  /** By the monotonic clock. */
  readonly startedAt: number;
}

/** GW-21: a download is answered only after its record is in the call log. */
export function logDownload(
  exchange: Exchange,
  { userId, email, via, clientId }: Principal,
  { calls, clock, holder }: GatewayContext,
  { method, name, requestBytes, body, startedAt }: Download,
  answer: () => void,
): void {
  const isOff = holder.current().limits.payloadCapture === "off";
  const isKey = via === "machine_key";
  const ended = {
    requestId: exchange.requestId,
    at: clock.now(),
    method,
    userId,
    userEmail: email,
    serverSlug: undefined,
    tool: name,
    requestBytes: isOff ? 0 : requestBytes,
    via: isKey ? undefined : via,
    client: isKey ? undefined : clientId,
    outcome: "ok",
    durationUs: Math.round((clock.monotonic() - startedAt) * 1000),
    responseBytes: isOff ? 0 : body.reduce((sum, part) => sum + part.length, 0),
    error: undefined,
    forwardedUs: undefined,
    traceId: undefined,
    toolkit: undefined,
    exposedTool: undefined,
    toolkitConflict: undefined,
    guard: undefined,
  } as const;
  calls.end(ended, (failure) => {
    if (failure === undefined) return answer();
    const unavailable = Buffer.from('{"error":"The call log is unavailable; try again"}');
    exchange.fail(503, [...JSON_HEADERS, "retry-after", "5"], [unavailable]);
  });
}
