import type { RequestMessage } from "../envelope/read-request.ts";
import { resultTail } from "../lists/result-members.ts";
import { completeArgument } from "../own/commands/complete-argument.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import { resolve } from "../snapshot/resolve.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { deny } from "./deny.ts";
import { forward } from "./forward.ts";

const METHOD = "completion/complete";
const MALFORMED = "params.ref must refer to a prompt or a resource";
const EMPTY_COMPLETION = '"completion":{"values":[],"total":0,"hasMore":false}';

interface ResolvedRef {
  readonly server: ServerEntry;
  /** The upstream's name or URI, for the log. */
  readonly tool: string;
  /** JSON text of the reference with the upstream's name or URI. */
  readonly ref: string;
}

/** Forwards a completion request for a prompt or template argument to the server that owns it. */
export function completionComplete(request: McpRequest, context: GatewayContext): void {
  const original = readRef(request.call);
  const requested = String(original?.type === "ref/prompt" ? original.name : original?.uri);
  const command = original?.type === "ref/prompt" ? ownCommand(request, context, requested) : undefined;
  if (command) return completeArgument(request, context, command);
  const resolved = original && resolveRef(request, context, original, requested);
  if (!original || !resolved) {
    const message = original ? `Unknown reference: ${requested.slice(0, MAX_LOGGED_NAME)}` : MALFORMED;
    deny(request, context, { method: METHOD, name: original ? requested : "", message });
    return;
  }
  const { server, tool, ref } = resolved;
  // The gateway advertises completion for all servers, so a server without it returns an empty list, not an error.
  const resultIfUnknown = `{${EMPTY_COMPLETION}${resultTail(request.era, context.serverInfo, false)}}`;
  const logged = tool.slice(0, MAX_LOGGED_NAME);
  forward(request, context, { method: METHOD, server, serverSlug: server.slug, tool: logged, ref, resultIfUnknown });
}

function ownCommand({ principal, scope }: McpRequest, { holder }: GatewayContext, name: string) {
  return resolve(holder.current(), principal, scope).command(name);
}

type Ref = Readonly<Record<string, unknown>>;

/** Returns undefined if it is neither a prompt reference nor a resource reference. */
function readRef({ params, source }: RequestMessage): Ref | undefined {
  const member = params?.members.get("ref");
  if (member?.kind !== "object") return undefined;
  const ref: Ref = JSON.parse(source.text(member));
  const named = ref.type === "ref/prompt" && typeof ref.name === "string";
  return named || (ref.type === "ref/resource" && typeof ref.uri === "string") ? ref : undefined;
}

function resolveRef(
  request: McpRequest,
  context: GatewayContext,
  original: Ref,
  requested: string,
): ResolvedRef | undefined {
  const { principal, scope } = request;
  const resolution = resolve(context.holder.current(), principal, scope);
  if (original.type === "ref/prompt") {
    const decision = resolution.named("prompts", requested);
    if (decision.kind !== "forward") return undefined;
    const { server, item } = decision;
    return { server, tool: item.upstreamName, ref: JSON.stringify({ ...original, name: item.upstreamName }) };
  }
  const found = resolution.listedResource(requested, context.holder.viewFor(principal, scope).sources);
  if (found?.kind !== "forward") return undefined;
  return { server: found.server, tool: found.uri, ref: JSON.stringify({ ...original, uri: found.uri }) };
}
