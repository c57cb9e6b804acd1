import { INVALID_PARAMS, RESOURCE_NOT_FOUND_LEGACY } from "../envelope/errors.ts";
import { withView } from "../lists/list-methods.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import { resolve } from "../snapshot/resolve.ts";
import type { View } from "../snapshot/view.ts";
import { deny } from "./deny.ts";
import { forward } from "./forward.ts";

const METHOD = "resources/read";

/** D37: finds the server by the URI, then forwards like a tool call. */
export function resourcesRead(request: McpRequest, context: GatewayContext): void {
  const uri = request.call.params?.uri;
  if (uri === undefined) {
    deny(request, context, { method: METHOD, name: "", message: "params.uri must be a string" });
    return;
  }
  if (readFrom(request, context, context.holder.viewFor(request.principal, request.scope), uri)) return;
  // The resource can belong to a server that was not synced yet.
  withView(request, context, (view) => {
    if (!readFrom(request, context, view, uri)) denyRead(request, context, uri);
  });
}

function readFrom(request: McpRequest, context: GatewayContext, view: View, requested: string): boolean {
  const { principal, scope } = request;
  const decision = resolve(context.holder.current(), principal, scope).resource(requested, view.sources);
  if (decision?.kind === "here") {
    const answer = context.own.get(decision.source.content);
    answer?.(request, context, decision);
    return answer !== undefined;
  }
  if (!decision) return false;
  const { server, uri, listed } = decision;
  // The log interns names and keeps them forever. A template matches any number of URIs, so the template is logged.
  const tool = listed.slice(0, MAX_LOGGED_NAME);
  forward(request, context, { method: METHOD, server, serverSlug: server.slug, tool, uri });
  return true;
}

/** D26: an unknown resource and an inaccessible one get the same response. The eras use different codes for it. */
function denyRead(request: McpRequest, context: GatewayContext, uri: string): void {
  const code = request.era === "modern" ? INVALID_PARAMS : RESOURCE_NOT_FOUND_LEGACY;
  const data = { uri: uri.slice(0, MAX_LOGGED_NAME) };
  deny(request, context, { method: METHOD, name: uri, message: "Resource not found", code, data });
}
