import { errorBody, INTERNAL_ERROR, resultBody } from "../envelope/errors.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { McpRequest, Methods } from "./request.ts";
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
