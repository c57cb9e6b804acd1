import type { LoggedMethod } from "../call-log/record.ts";
import { errorBody, INTERNAL_ERROR, resultBody } from "../envelope/errors.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { notConnectedFault } from "../upstream/failure.ts";
import { endCall, JSON_HEADERS, type McpRequest, type Methods } from "./request.ts";
import { resultTail } from "./results.ts";

/**
 * D25: the answer to a caller who is not connected, with the link that helps. A tool's answer is a result, which models
 * read and show; other methods know no such thing.
 */
export function connectFirst(request: McpRequest, methods: Methods, server: ServerEntry, why: string): Buffer {
  const { call, era, principal, exchange } = request;
  const url = methods.connectUrl(server.slug);
  const who = principal.user.isMachine ? `An owner of ${principal.email} can do so here` : "Open this link to do so";
  const text = `${why}. ${who}: ${url}`;
  if (call.method !== "tools/call") {
    return errorBody(call.rawId, INTERNAL_ERROR, text, { requestId: exchange.requestId, connectUrl: url });
  }
  const content = JSON.stringify([{ type: "text", text }]);
  return resultBody(call.rawId, `{"content":${content},"isError":true${resultTail(era, methods.serverInfo, false)}}`);
}

/**
 * Goes on when the caller has something to show to the server. Otherwise they are told to connect: without a connection
 * nobody knows yet what the server offers.
 */
export function onceConnected(
  request: McpRequest,
  methods: Methods,
  method: LoggedMethod,
  server: ServerEntry,
  goOn: () => void,
): void {
  if (server.upstream?.authType === "none") return goOn();
  const found = Promise.resolve(methods.credentials.of(server, request.principal.userId));
  found.then((state) => {
    if (typeof state !== "string") return goOn();
    const { message } = notConnectedFault(state).describe(server.slug);
    const body = connectFirst(request, methods, server, message);
    const logged = { serverSlug: server.slug, responseBytes: body.length, error: message };
    endCall(request, methods, method, { outcome: "not_connected", ...logged }, () =>
      request.exchange.answer(200, JSON_HEADERS, [body]),
    );
  }, goOn);
}
