import type { LoggedMethod } from "../call-log/record.ts";
import { readCapabilities } from "../envelope/client-capabilities.ts";
import { CONNECT_STATE, isConnectRetry } from "../envelope/connect-state.ts";
import { errorBody, INTERNAL_ERROR, resultBody, URL_ELICITATION_REQUIRED } from "../envelope/errors.ts";
import { INPUT_REQUEST_METHODS } from "../envelope/input-required.ts";
import { META_CLIENT_CAPABILITIES, META_SERVER_INFO } from "../envelope/meta-keys.ts";
import { resultTail } from "../lists/result-members.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { notConnectedFault } from "../upstream/failure.ts";
import { endCall } from "./record.ts";

/**
 * D25: the response for a caller who is not connected, with the link to connect. Clients that support URL elicitation
 * are asked to open it. Other clients get it as the text of a tool result, or as an error for other methods.
 */
export function connectionRequiredBody(
  request: McpRequest,
  context: GatewayContext,
  server: ServerEntry,
  why: string,
): Buffer {
  const { call, era, principal, exchange } = request;
  const url = context.connectUrl(server.slug);
  const who = principal.user.isMachine ? `An owner of ${principal.email} can do so here` : "Open this link to do so";
  const elicitation = supportsUrlElicitation(request) ? { mode: "url", message: `${why}. ${who}.`, url } : undefined;
  if (elicitation && era === "modern" && INPUT_REQUEST_METHODS.has(call.method))
    return inputRequired(request, context, elicitation);
  if (elicitation && era === "legacy") {
    const elicitations = [{ ...elicitation, elicitationId: exchange.requestId }];
    return errorBody(call.rawId, URL_ELICITATION_REQUIRED, `${why}.`, { elicitations });
  }
  const text = `${why}. ${who}: ${url}`;
  if (call.method !== "tools/call") {
    return errorBody(call.rawId, INTERNAL_ERROR, text, { requestId: exchange.requestId, connectUrl: url });
  }
  const content = JSON.stringify([{ type: "text", text }]);
  return resultBody(call.rawId, `{"content":${content},"isError":true${resultTail(era, context.serverInfo, false)}}`);
}

function inputRequired({ call }: McpRequest, { serverInfo }: GatewayContext, elicitation: object): Buffer {
  const inputRequests = { connect: { method: "elicitation/create", params: elicitation } };
  const _meta = { [META_SERVER_INFO]: serverInfo };
  const result = { resultType: "input_required", inputRequests, requestState: CONNECT_STATE, _meta };
  return resultBody(call.rawId, JSON.stringify(result));
}

/**
 * Whether the client supports URL elicitation. A retry that is still not connected gets the link as text, because
 * clients would otherwise prompt the user endlessly.
 */
export function supportsUrlElicitation({ call, era, session }: McpRequest): boolean {
  if (era === "legacy") {
    return session?.version === URL_ELICITATION_VERSION && session.capabilities.elicitation?.url !== undefined;
  }
  const declared = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
  if (declared === undefined || isConnectRetry(call)) return false;
  // The era check verified that it is an object.
  return readCapabilities(JSON.parse(call.source.text(declared))).elicitation?.url !== undefined;
}

/** The only legacy version with URL elicitation. */
const URL_ELICITATION_VERSION = "2025-11-25";

/**
 * Continues if the caller has a credential for the server. Otherwise the caller is asked to connect: the tools of a
 * server are unknown until it has been synced with someone's credential.
 */
export function whenConnected(
  request: McpRequest,
  context: GatewayContext,
  method: LoggedMethod,
  server: ServerEntry,
  proceed: () => void,
): void {
  if (server.upstream?.authType === "none") return proceed();
  const found = Promise.resolve(context.credentials.of(server, request.principal.userId));
  found.then((state) => {
    if (typeof state !== "string") return proceed();
    const { message } = notConnectedFault(state).describe(server.slug);
    const body = connectionRequiredBody(request, context, server, message);
    const logged = { serverSlug: server.slug, responseBytes: body.length, error: message };
    endCall(request, context, method, { outcome: "not_connected", ...logged }, () =>
      request.exchange.answer(200, JSON_HEADERS, [body]),
    );
  }, proceed);
}
