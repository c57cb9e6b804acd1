import { matchesTemplate } from "#lib/uri-template";
import { INVALID_PARAMS, RESOURCE_NOT_FOUND_LEGACY } from "../envelope/errors.ts";
import { withView } from "../lists/list-methods.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import { resolve } from "../snapshot/resolve.ts";
import { addressedSource } from "../snapshot/resources.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { View } from "../snapshot/view.ts";
import { deny } from "./deny.ts";
import { forward } from "./forward.ts";
import { isResultUri, readResult } from "./read-result.ts";

const METHOD = "resources/read";
/** The log interns names and keeps them forever, and there is any number of URIs that no list contains. */
const UNLISTED = "(unlisted resource)";

/** D37: finds the server by the URI, then forwards like a tool call. */
export function resourcesRead(request: McpRequest, context: GatewayContext): void {
  const uri = request.call.params?.uri;
  if (uri === undefined) {
    deny(request, context, { method: METHOD, name: "", message: "params.uri must be a string" });
    return;
  }
  if (isResultUri(uri)) return readResult(request, context, uri, () => denyRead(request, context, uri));
  if (readFrom(request, context, context.holder.viewFor(request.principal, request.scope), uri)) return;
  // The resource can belong to a server that was not synced yet.
  withView(request, context, (view) => {
    if (!readFrom(request, context, view, uri) && !readAddressed(request, context, view, uri))
      readLinked(request, context, uri);
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
  const { server, uri, listed, toolkit } = decision;
  const exposed = toolkit === undefined ? request : { ...request, exposed: { toolkit } };
  // A template matches any number of URIs, so the template is logged.
  const tool = listed.slice(0, MAX_LOGGED_NAME);
  forward(exposed, context, { method: METHOD, server, serverSlug: server.slug, tool, uri });
  return true;
}

/**
 * Decision 0073: who can use a server can read all its resources, also those that it does not list, if the request names
 * the server: by its URL or by the qualified form of the URI. Not if toolkits select its resources.
 */
function readAddressed(request: McpRequest, context: GatewayContext, view: View, requested: string): boolean {
  const { source, uri } = addressedSource(view.sources, requested, request.scope.prefixed);
  const [only] = request.scope.slug === undefined ? [] : view.servers;
  const server = source?.kind === "server" ? source : only;
  const { principal, scope } = request;
  if (!server || resolve(context.holder.current(), principal, scope).exposure(server)) return false;
  return forwardUnlisted(request, context, server, uri);
}

/** At `/mcp`, a URI alone does not name its server. Links that the caller received do. */
function readLinked(request: McpRequest, context: GatewayContext, uri: string): void {
  const { principal, scope } = request;
  const denied = () => denyRead(request, context, uri);
  if (scope.slug !== undefined) return denied();
  context.links.find(principal.userId, uri).then(
    (serverId) => {
      // Access may have changed since.
      const { servers } = context.holder.viewFor(principal, scope);
      const server = servers.find(({ id }) => id === serverId);
      if (!server || !forwardUnlisted(request, context, server, uri)) denied();
    },
    (error: unknown) => {
      context.logger.warn({ err: error }, "links to resources could not be looked up");
      denied();
    },
  );
}

/** False for a resource that is held for review. */
function forwardUnlisted(request: McpRequest, context: GatewayContext, server: ServerEntry, uri: string): boolean {
  const { held, upstream } = server;
  if (!upstream || held?.uris.has(uri) || held?.templates.some((parts) => matchesTemplate(parts, uri))) return false;
  forward(request, context, { method: METHOD, server, serverSlug: server.slug, tool: UNLISTED, uri });
  return true;
}

/** D26: an unknown resource and an inaccessible one get the same response. The eras use different codes for it. */
function denyRead(request: McpRequest, context: GatewayContext, uri: string): void {
  const code = request.era === "modern" ? INVALID_PARAMS : RESOURCE_NOT_FOUND_LEGACY;
  const data = { uri: uri.slice(0, MAX_LOGGED_NAME) };
  deny(request, context, { method: METHOD, name: uri, message: "Resource not found", code, data });
}
