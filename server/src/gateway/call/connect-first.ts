import type { LoggedMethod } from "../call-log/record.ts";
import { readCapabilities } from "../envelope/client-capabilities.ts";
import { CONNECT_STATE, isConnectRetry } from "../envelope/connect-state.ts";
import { errorBody, INTERNAL_ERROR, resultBody, URL_ELICITATION_REQUIRED } from "../envelope/errors.ts";
import { META_CLIENT_CAPABILITIES, META_SERVER_INFO } from "../envelope/meta-keys.ts";
import { resultTail } from "../lists/result-members.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { notConnectedFault } from "../upstream/failure.ts";
import { endCall } from "./record.ts";

/**
 * D25: the answer to a caller who is not connected, with the link that helps. A client that can show a link to its person
 * is asked to. Others read it in a tool result, which models read and show; other methods have nothing like it.
 */
export function connectFirst(request: McpRequest, context: GatewayContext, server: ServerEntry, why: string): Buffer {
  const { call, era, principal, exchange } = request;
  const url = context.connectUrl(server.slug);
  const who = principal.user.isMachine ? `An owner of ${principal.email} can do so here` : "Open this link to do so";
  const asked = opensLinks(request) ? { mode: "url", message: `${why}. ${who}.`, url } : undefined;
  if (asked && era === "modern" && ASKING_METHODS.has(call.method)) return inputRequired(request, context, asked);
  if (asked && era === "legacy") {
    const elicitations = [{ ...asked, elicitationId: exchange.requestId }];
    return errorBody(call.rawId, URL_ELICITATION_REQUIRED, `${why}.`, { elicitations });
  }
  const text = `${why}. ${who}: ${url}`;
  if (call.method !== "tools/call") {
    return errorBody(call.rawId, INTERNAL_ERROR, text, { requestId: exchange.requestId, connectUrl: url });
  }
  const content = JSON.stringify([{ type: "text", text }]);
  return resultBody(call.rawId, `{"content":${content},"isError":true${resultTail(era, context.serverInfo, false)}}`);
}

/** MCP 2026-07-28: the methods that may be answered with a question. */
const ASKING_METHODS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

function inputRequired({ call }: McpRequest, { serverInfo }: GatewayContext, asked: object): Buffer {
  const inputRequests = { connect: { method: "elicitation/create", params: asked } };
  const _meta = { [META_SERVER_INFO]: serverInfo };
  const result = { resultType: "input_required", inputRequests, requestState: CONNECT_STATE, _meta };
  return resultBody(call.rawId, JSON.stringify(result));
}

/**
 * Whether the caller's client said that it can show a link. One that comes back from there and is still not connected is
 * told in words: clients ask their person again without end.
 */
function opensLinks({ call, era, session }: McpRequest): boolean {
  if (era === "legacy") {
    return session?.version === ASKS_BY_ERROR && session.capabilities.elicitation?.url !== undefined;
  }
  const claimed = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
  if (claimed === undefined || isConnectRetry(call)) return false;
  return readCapabilities(JSON.parse(call.source.text(claimed))).elicitation?.url !== undefined; // an object, by its era
}

/** The one legacy version that knows links. */
const ASKS_BY_ERROR = "2025-11-25";

/**
 * Goes on when the caller has something to show to the server. Otherwise they are told to connect: without a connection
 * nobody knows yet what the server offers.
 */
export function onceConnected(
  request: McpRequest,
  context: GatewayContext,
  method: LoggedMethod,
  server: ServerEntry,
  goOn: () => void,
): void {
  if (server.upstream?.authType === "none") return goOn();
  const found = Promise.resolve(context.credentials.of(server, request.principal.userId));
  found.then((state) => {
    if (typeof state !== "string") return goOn();
    const { message } = notConnectedFault(state).describe(server.slug);
    const body = connectFirst(request, context, server, message);
    const logged = { serverSlug: server.slug, responseBytes: body.length, error: message };
    endCall(request, context, method, { outcome: "not_connected", ...logged }, () =>
      request.exchange.answer(200, JSON_HEADERS, [body]),
    );
  }, goOn);
}
