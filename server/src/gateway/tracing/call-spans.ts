/** Creates the spans of a call, following OpenTelemetry's semantic conventions for MCP. */
import type { EndedCall } from "../call-log/record.ts";
import type { FinishedSpan } from "../ports.ts";
import type { UpstreamEntry } from "../snapshot/shape.ts";
import type { TraceContext } from "./trace-context.ts";

/** Data of a completed call. */
export interface TracedCall {
  readonly ended: EndedCall;
  /** The method as the caller sent it, and the JSON text of the request id. */
  readonly method: string;
  readonly rawId: string;
  readonly version: string | undefined;
  /** JSON-RPC code of the upstream's error. */
  readonly errorCode: number | undefined;
}

type Attributes = [key: string, value: string | number][];

const MAX_VALUE_LENGTH = 128;
const OVER_HTTP: Attributes = [
  ["network.transport", "tcp"],
  ["network.protocol.name", "http"],
];

/** Covers the time from the request's arrival to its response. */
export function serverSpan(call: TracedCall, context: TraceContext, parentSpanId: string | undefined): FinishedSpan {
  const { ended, rawId, version } = call;
  const { serverSlug, tool } = ended;
  const attributes: Attributes = [
    ["jsonrpc.request.id", rawId.slice(0, MAX_VALUE_LENGTH)],
    ["user.id", ended.userId],
    ["gatehouse.request_id", ended.requestId],
    ...OVER_HTTP,
  ];
  if (version !== undefined) attributes.push(["mcp.protocol.version", version.slice(0, MAX_VALUE_LENGTH)]);
  const name = serverSlug === undefined || tool === undefined ? tool : `${serverSlug}__${tool}`;
  return { ...spanOf(call, context, name, attributes), kind: "server", parentSpanId, startedAt: ended.at };
}

/** Covers the time from forwarding the request to the end of the call. */
export function clientSpan(
  call: TracedCall,
  context: TraceContext,
  parentSpanId: string,
  upstream: UpstreamEntry | undefined,
  forwardedUs: number,
): FinishedSpan {
  const span = spanOf(call, context, call.ended.tool, upstreamAttributes(upstream));
  return { ...span, kind: "client", parentSpanId, startedAt: call.ended.at + forwardedUs / 1000 };
}

function spanOf(
  call: TracedCall,
  { traceId, spanId, state }: TraceContext,
  target: string | undefined,
  own: Attributes,
) {
  const { method, at, durationUs, outcome, error, serverSlug } = call.ended;
  const methodName = method === "other" ? call.method : method;
  const nameKey = NAME_KEYS[method];
  const named: Attributes = nameKey === undefined || target === undefined ? [] : [[nameKey, target]];
  // Names that match no server are arbitrary caller input and would make the set of span names unbounded.
  const includeTarget =
    named.length > 0 && method !== "resources/read" && serverSlug !== undefined && outcome !== "denied";
  return {
    traceId,
    spanId,
    state,
    name: includeTarget ? `${methodName} ${target}` : methodName,
    endedAt: at + durationUs / 1000,
    attributes: [["mcp.method.name", methodName] as const, ...named, ...outcomeAttributes(call), ...own],
    error: outcome === "ok" ? undefined : (error ?? outcome),
  };
}

const NAME_KEYS: Readonly<Partial<Record<EndedCall["method"], string>>> = {
  "tools/call": "gen_ai.tool.name",
  "prompts/get": "gen_ai.prompt.name",
  "resources/read": "mcp.resource.uri",
};

function outcomeAttributes({ ended: { method, outcome, serverSlug }, errorCode }: TracedCall): Attributes {
  const attributes: Attributes = [];
  if (method === "tools/call") attributes.push(["gen_ai.operation.name", "execute_tool"]);
  if (serverSlug !== undefined) attributes.push(["gatehouse.server", serverSlug]);
  if (outcome !== "ok") attributes.push(["error.type", String(errorCode ?? outcome)]);
  if (errorCode !== undefined) attributes.push(["rpc.response.status_code", String(errorCode)]);
  return attributes;
}

function upstreamAttributes(upstream: UpstreamEntry | undefined): Attributes {
  if (upstream?.transport === "stdio") return [["network.transport", "pipe"]];
  const url = upstream && URL.parse(upstream.url);
  if (!url) return [];
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return [...OVER_HTTP, ["server.address", url.hostname], ["server.port", port]];
}
