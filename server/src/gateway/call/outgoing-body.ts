import type { Edit } from "#lib/json/splice";
import { isConnectRetry } from "../envelope/connect-state.ts";
import { filterExtensions, supportedExtensions } from "../envelope/extensions.ts";
import { INPUT_RETRY_MEMBERS } from "../envelope/input-required.ts";
import { mergeEdits } from "../envelope/merge-edits.ts";
import { META_CLIENT_CAPABILITIES } from "../envelope/meta-keys.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import { rewriteCall } from "../envelope/rewrite-call.ts";
import type { McpRequest } from "../request.ts";
import type { Era } from "../snapshot/shape.ts";
import { MODERN_META } from "../upstream/handshake/handshake.ts";
import type { Call } from "./call.ts";
import { canAskCaller } from "./held/input-rounds.ts";

/** The `_meta` members that a modern upstream requires and a legacy caller does not send, as JSON text by key. */
const MODERN_ENVELOPE = new Map(Object.entries(MODERN_META).map(([key, value]) => [key, JSON.stringify(value)]));

/** The message for an upstream of the given era: the caller's bytes with the gateway's edits. */
export function outgoingBody(
  { request, to, requestEdits, inputMembers }: Call,
  upstreamEra: Era,
  id: number,
  progressToken: number,
): Buffer {
  const { call, era, trace } = request;
  const edits = to.edits ? mergeEdits([...to.edits, ...requestEdits]) : requestEdits;
  return rewriteCall(call, {
    id,
    name: to.name,
    uri: to.uri,
    ref: to.ref,
    progressToken,
    envelope: upstreamEra === era ? "keep" : upstreamEra === "legacy" ? "drop" : modernEnvelope(request),
    capabilities: era === "modern" ? capabilitiesOf(request) : undefined,
    without: (era === "modern" && isConnectRetry(call)) || inputMembers ? INPUT_RETRY_MEMBERS : undefined,
    edits: inputMembers === undefined ? edits : [...edits, insertion(call, inputMembers)],
    trace: trace?.meta,
  });
}

/** At the start of `params`, which always contains the name or URI too. */
function insertion({ params }: RequestMessage, members: string): Edit {
  const at = (params?.start ?? 0) + 1;
  return { start: at, end: at, text: `${members},` };
}

/** With the capabilities of the caller's session, if its call can receive requests. */
function modernEnvelope(request: McpRequest): ReadonlyMap<string, string> {
  const { session } = request;
  if (!session || !canAskCaller(request)) return MODERN_ENVELOPE;
  return new Map([...MODERN_ENVELOPE, [META_CLIENT_CAPABILITIES, JSON.stringify(session.capabilities)]]);
}

function capabilitiesOf({ call, scope }: McpRequest): string | undefined {
  const declared = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
  return filterExtensions(supportedExtensions(scope.prefixed), call.source, declared);
}
