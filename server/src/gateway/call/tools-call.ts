import { missingCapabilities } from "../lists/caller-capabilities.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import type { Forward, NamedKind } from "../snapshot/decision.ts";
import { resolve } from "../snapshot/resolve.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { argumentEdits } from "./argument-edits.ts";
import { whenConnected } from "./connection-required.ts";
import { deny } from "./deny.ts";
import { canSync, FIRST_SYNC_WAIT_MS } from "./first-sync.ts";
import { forward } from "./forward.ts";
import { paramHeadersFor } from "./param-headers.ts";

/** A method that addresses one item of one server by name: `{slug}__{name}`. */
interface NamedMethod {
  readonly method: "tools/call" | "prompts/get";
  readonly kind: NamedKind;
  readonly word: string;
}

const TOOL: NamedMethod = { method: "tools/call", kind: "tools", word: "tool" };
const PROMPT: NamedMethod = { method: "prompts/get", kind: "prompts", word: "prompt" };

/**
 * Spec 4.5: authorizes the call, forwards it with a gateway id, and returns the response bytes with only required
 * edits.
 */
export function toolsCall(request: McpRequest, context: GatewayContext): void {
  callByName(request, context, TOOL);
}

export function promptsGet(request: McpRequest, context: GatewayContext): void {
  callByName(request, context, PROMPT);
}

function callByName(request: McpRequest, context: GatewayContext, named: NamedMethod): void {
  const name = request.call.params?.name;
  if (name === undefined) {
    deny(request, context, { method: named.method, name: "", message: "params.name must be a string" });
    return;
  }
  const args = request.call.params?.arguments;
  if (args !== undefined && args.kind !== "object") {
    deny(request, context, { method: named.method, name, message: "params.arguments must be an object" });
    return;
  }
  const decision = resolve(context.holder.current(), request.principal, request.scope).named(named.kind, name);
  if (decision.kind === "forward") return forwardAllowed(request, context, named, decision);
  const answer = decision.kind === "here" ? context.own.get(decision.source.content) : undefined;
  if (decision.kind === "here" && answer) answer(request, context, decision);
  else if (decision.kind === "refused" && decision.reason === "not-synced" && canSync(decision.server))
    forwardAfterSync(request, context, named, name, decision.server);
  else denyUnknown(request, context, named, name, "server" in decision ? decision.server : undefined);
}

/** The caller may know the tool from elsewhere, so a new server is synced before the tool is rejected as unknown. */
function forwardAfterSync(
  request: McpRequest,
  context: GatewayContext,
  named: NamedMethod,
  name: string,
  server: ServerEntry,
): void {
  const { userId } = request.principal;
  const decideAgain = () => {
    const snapshot = context.holder.current();
    const user = snapshot.usersById.get(userId);
    const decision = user && resolve(snapshot, { ...request.principal, user }, request.scope).named(named.kind, name);
    if (decision?.kind === "forward") forwardAllowed(request, context, named, decision);
    else denyUnknown(request, context, named, name, server);
  };
  whenConnected(request, context, named.method, server, () => {
    context.firstSync.wait([server], FIRST_SYNC_WAIT_MS, userId).then(decideAgain, decideAgain);
  });
}

/** D26: the same error for an item that does not exist and for one the caller cannot access. */
function denyUnknown(
  request: McpRequest,
  context: GatewayContext,
  { method, word }: NamedMethod,
  name: string,
  server: ServerEntry | undefined,
): void {
  deny(request, context, { method, name, server, message: `Unknown ${word}: ${name.slice(0, MAX_LOGGED_NAME)}` });
}

function forwardAllowed(
  received: McpRequest,
  context: GatewayContext,
  { method }: NamedMethod,
  decision: Forward,
): void {
  const { server, item, through } = decision;
  const request = exposedRequest(received, decision);
  const { upstreamName: name, paramHeaders, argumentChanges, requires, limits: toolLimits } = item;
  const missing = requires === undefined ? undefined : missingCapabilities(request, requires, item.slug);
  if (missing) return deny(request, context, { method, name, server, ...missing });
  const to = { method, server, serverSlug: server.slug, tool: name, name, item, through, toolLimits };
  if (paramHeaders === undefined && argumentChanges === undefined) return forward(request, context, to);
  const edits = argumentChanges && argumentEdits(request.call, argumentChanges);
  if (typeof edits === "string") return deny(request, context, { method, name, server, message: edits });
  const headers = paramHeaders && paramHeadersFor(request, paramHeaders, argumentChanges);
  if (headers && "code" in headers) return deny(request, context, { method, name, server, ...headers });
  forward(request, context, { ...to, ...(headers && { paramHeaders: headers }), ...(edits && { edits }) });
}

/** The log names the toolkit, and the exposed name if it is not the server's. */
function exposedRequest(request: McpRequest, { item, toolkit, toolkitConflict }: Forward): McpRequest {
  if (toolkit === undefined) return request;
  const tool = item.slug === item.upstreamName ? undefined : item.slug;
  return { ...request, exposed: { toolkit, tool, toolkitConflict } };
}
