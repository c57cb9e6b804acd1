import type { RequestMessage } from "../envelope/read-request.ts";
import { resultTail } from "../lists/result-members.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import { resolve } from "../snapshot/resolve.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { deny } from "./deny.ts";
import { forward } from "./forward.ts";

const METHOD = "completion/complete";
const MALFORMED = "params.ref must refer to a prompt or a resource";
const NOTHING_TO_OFFER = '"completion":{"values":[],"total":0,"hasMore":false}';

interface Referred {
  readonly server: ServerEntry;
  /** The upstream's name or address, for the log. */
  readonly tool: string;
  /** JSON text of the reference as the upstream knows it. */
  readonly ref: string;
}

/** What may stand in an argument of a prompt or a template: the server whose it is knows. */
export function completionComplete(request: McpRequest, context: GatewayContext): void {
  const given = readRef(request.call);
  const asked = String(given?.type === "ref/prompt" ? given.name : given?.uri);
  const referred = given && findReferred(request, context, given, asked);
  if (!given || !referred) {
    const message = given ? `Unknown reference: ${asked.slice(0, MAX_LOGGED_NAME)}` : MALFORMED;
    deny(request, context, { method: METHOD, name: given ? asked : "", message });
    return;
  }
  const { server, tool, ref } = referred;
  // We offer completion for all servers; one that has none has nothing to offer, which is no error.
  const resultIfUnknown = `{${NOTHING_TO_OFFER}${resultTail(request.era, context.serverInfo, false)}}`;
  const logged = tool.slice(0, MAX_LOGGED_NAME);
  forward(request, context, { method: METHOD, server, serverSlug: server.slug, tool: logged, ref, resultIfUnknown });
}

type Given = Readonly<Record<string, unknown>>;

/** Undefined: neither a prompt's reference nor a resource's. */
function readRef({ params, source }: RequestMessage): Given | undefined {
  const member = params?.members.get("ref");
  if (member?.kind !== "object") return undefined;
  const ref: Given = JSON.parse(source.text(member));
  const named = ref.type === "ref/prompt" && typeof ref.name === "string";
  return named || (ref.type === "ref/resource" && typeof ref.uri === "string") ? ref : undefined;
}

function findReferred(request: McpRequest, context: GatewayContext, given: Given, asked: string): Referred | undefined {
  const { principal, scope } = request;
  const resolution = resolve(context.holder.current(), principal, scope);
  if (given.type === "ref/prompt") {
    const decision = resolution.named("prompts", asked);
    if (decision.kind !== "forward") return undefined;
    const { server, item } = decision;
    return { server, tool: item.upstreamName, ref: JSON.stringify({ ...given, name: item.upstreamName }) };
  }
  const found = resolution.listedResource(asked, context.holder.viewFor(principal, scope).sources);
  if (found?.kind !== "forward") return undefined;
  return { server: found.server, tool: found.uri, ref: JSON.stringify({ ...given, uri: found.uri }) };
}
