import { deny } from "../call/deny.ts";
import { forward } from "../call/forward.ts";
import { JSON_HEADERS, LONGEST_LOGGED_NAME, type McpRequest, type Method, type Methods } from "../call/request.ts";
import { INVALID_PARAMS, RESOURCE_NOT_FOUND_LEGACY } from "../envelope/errors.ts";
import { findResource, type ResourceKind, resourcePortions } from "../snapshot/resources.ts";
import { invalidCursor, listBody, pageOf, withView } from "./list-pages.ts";

/** The resources that the caller reaches, and their templates. Served from memory; no upstream is contacted. */
export const resourcesList = listMethod("resources");
export const resourceTemplatesList = listMethod("resourceTemplates");

function listMethod(kind: ResourceKind): Method {
  return (request, methods) =>
    withView(request, methods, (view) => {
      const page = pageOf(resourcePortions(view.servers, kind), request.call.params?.cursor);
      const body = page ? listBody(request, methods, kind, page, view) : [invalidCursor(request)];
      request.exchange.answer(200, JSON_HEADERS, body);
    });
}

/** D37: finds the server that is meant, and forwards to it as a tool call is. */
export function resourcesRead(request: McpRequest, methods: Methods): void {
  const uri = request.call.params?.uri;
  if (uri === undefined) {
    deny(request, methods, { method: "resources/read", name: "", message: "params.uri must be a string" });
    return;
  }
  const { servers } = methods.holder.viewFor(request.principal.user, request.scope);
  if (readFrom(request, methods, servers, uri)) return;
  // It may be of a server that has not been read yet.
  withView(request, methods, (view) => {
    if (!readFrom(request, methods, view.servers, uri)) denyRead(request, methods, uri);
  });
}

function readFrom(
  request: McpRequest,
  methods: Methods,
  servers: Parameters<typeof findResource>[0],
  asked: string,
): boolean {
  const found = findResource(servers, asked);
  if (!found) return false;
  const { server, uri, listed } = found;
  // The log keeps its names for ever, and a template has addresses without end: it is named itself.
  const tool = listed.slice(0, LONGEST_LOGGED_NAME);
  forward(request, methods, { method: "resources/read", server, serverSlug: server.slug, tool, uri });
  return true;
}

/** D26: the same for one that does not exist and for one out of reach. The code changed between the eras. */
function denyRead(request: McpRequest, methods: Methods, uri: string): void {
  const code = request.era === "modern" ? INVALID_PARAMS : RESOURCE_NOT_FOUND_LEGACY;
  const message = "Resource not found";
  deny(request, methods, {
    method: "resources/read",
    name: uri,
    message,
    code,
    data: { uri: uri.slice(0, LONGEST_LOGGED_NAME) },
  });
}
