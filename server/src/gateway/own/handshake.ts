/** Methods that the gateway answers without an upstream. */

import { type CapabilityMask, declaredMask } from "#lib/gating-capabilities";
import { type ClientCapabilities, NO_CAPABILITIES, readCapabilities } from "../envelope/client-capabilities.ts";
import { MODERN_VERSIONS, negotiateLegacyVersion } from "../envelope/era.ts";
import { resultBody } from "../envelope/errors.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import { declaredBy } from "../lists/caller-capabilities.ts";
import { resultTail } from "../lists/result-members.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest, type Method } from "../request.ts";
import { resolve } from "../snapshot/resolve.ts";
import { withoutSearch } from "../snapshot/scope.ts";
import { composeInstructions } from "./instructions.ts";

/**
 * Capabilities offered in both eras (Spec 4.5). Every advertised method returns a result, even if it is an empty list.
 */
const CAPABILITIES =
  '{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"completions":{},"logging":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}';

function answer(request: McpRequest, resultJson: string): void {
  request.exchange.answer(200, JSON_HEADERS, [resultBody(request.call.rawId, resultJson)]);
}

/** Legacy handshake. The client may use the session id and open a stream with it, or ignore it (Spec 4.5). */
export const initialize: Method = (request, context) => {
  const { exchange, principal, call } = request;
  const version = negotiateLegacyVersion(call.params?.protocolVersion);
  const capabilities = clientCapabilities(call);
  const info = `"serverInfo":${context.serverInfoJson}`;
  const instructions = instructionsMember(request, context, () => declaredMask(capabilities));
  const result = `{"protocolVersion":"${version}","capabilities":${CAPABILITIES},${info}${instructions}}`;
  const session = context.sessions.ids.begin({ userId: principal.userId, version, capabilities });
  exchange.answer(200, [...JSON_HEADERS, "mcp-session-id", session], [resultBody(call.rawId, result)]);
};

/** With a leading comma; empty if there are none. Unlike lists, a handshake does not wait for the first sync of a server. */
function instructionsMember(
  { principal, scope }: McpRequest,
  { holder }: GatewayContext,
  declared: () => CapabilityMask,
): string {
  const view = holder.viewFor(principal, withoutSearch(scope), declared);
  const toolkit = resolve(holder.current(), principal, scope).toolkit();
  const text = composeInstructions(view, scope, toolkit?.instructions);
  return text && `,"instructions":${JSON.stringify(text)}`;
}

function clientCapabilities({ params, source }: RequestMessage): ClientCapabilities {
  const member = params?.members.get("capabilities");
  // The scanner verified that it is valid JSON.
  return member?.kind === "object" ? readCapabilities(JSON.parse(source.text(member))) : NO_CAPABILITIES;
}

/** Modern discovery: the same capabilities, for clients without a handshake. */
export const discover: Method = (request, context) => {
  const versions = JSON.stringify(MODERN_VERSIONS);
  const tail = resultTail(request.era, context.serverInfo, true);
  const instructions = instructionsMember(request, context, () => declaredBy(request));
  answer(request, `{"supportedVersions":${versions},"capabilities":${CAPABILITIES}${instructions}${tail}}`);
};

export const ping: Method = (request) => answer(request, "{}");
