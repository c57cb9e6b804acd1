import { CONNECT_RETRY_MEMBERS, isConnectRetry } from "../envelope/connect-state.ts";
import { filterExtensions, supportedExtensions } from "../envelope/extensions.ts";
import { META_CLIENT_CAPABILITIES } from "../envelope/meta-keys.ts";
import { rewriteCall } from "../envelope/rewrite-call.ts";
import type { McpRequest } from "../request.ts";
import type { Era } from "../snapshot/shape.ts";
import { MODERN_META } from "../upstream/handshake/handshake.ts";
import type { Call } from "./call.ts";
import { mergeEdits } from "./merge-edits.ts";

/** The `_meta` members that a modern upstream requires and a legacy caller does not send, as JSON text by key. */
const MODERN_ENVELOPE = new Map(Object.entries(MODERN_META).map(([key, value]) => [key, JSON.stringify(value)]));

/** The message for an upstream of the given era: the caller's bytes with the gateway's edits. */
export function outgoingBody(
  { request, to, requestEdits }: Call,
  upstreamEra: Era,
  id: number,
  progressToken: number,
): Buffer {
  const { call, era, trace } = request;
  return rewriteCall(call, {
    id,
    name: to.name,
    uri: to.uri,
    ref: to.ref,
    progressToken,
    envelope: upstreamEra === era ? "keep" : upstreamEra === "legacy" ? "drop" : MODERN_ENVELOPE,
    capabilities: era === "modern" ? capabilitiesOf(request) : undefined,
    without: era === "modern" && isConnectRetry(call) ? CONNECT_RETRY_MEMBERS : undefined,
    edits: to.edits ? mergeEdits([...to.edits, ...requestEdits]) : requestEdits,
    trace: trace?.meta,
  });
}

function capabilitiesOf({ call, scope }: McpRequest): string | undefined {
  const declared = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
  return filterExtensions(supportedExtensions(scope.prefixed), call.source, declared);
}
