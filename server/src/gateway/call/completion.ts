import type { RequestMessage } from "../envelope/read-request.ts";
import { resultTail } from "../lists/results.ts";
import { decideScopedTool } from "../snapshot/decide.ts";
import { findListed } from "../snapshot/resources.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { deny } from "./deny.ts";
import { forward } from "./forward.ts";
import { LONGEST_LOGGED_NAME, type McpRequest, type Methods } from "./request.ts";

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
export function completionComplete(request: McpRequest, methods: Methods): void {
  const given = readRef(request.call);
  const asked = String(given?.type === "ref/prompt" ? given.name : given?.uri);
  const referred = given && findReferred(request, methods, given, asked);
  if (!given || !referred) {
    const message = given ? `Unknown reference: ${asked.slice(0, LONGEST_LOGGED_NAME)}` : MALFORMED;
    deny(request, methods, { method: METHOD, name: given ? asked : "", message });
    return;
  }
  const { server, tool, ref } = referred;
  // We offer completion for all servers; one that has none has nothing to offer, which is no error.
  const resultIfUnknown = `{${NOTHING_TO_OFFER}${resultTail(request.era, methods.serverInfo, false)}}`;
  const logged = tool.slice(0, LONGEST_LOGGED_NAME);
  forward(request, methods, { method: METHOD, server, serverSlug: server.slug, tool: logged, ref, resultIfUnknown });
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

function findReferred(request: McpRequest, methods: Methods, given: Given, asked: string): Referred | undefined {
  const { principal, scope } = request;
  if (given.type === "ref/prompt") {
    const decision = decideScopedTool(methods.holder.current(), principal.user, scope, asked, "prompts");
    if (!decision.allowed) return undefined;
    const { server, tool } = decision;
    return { server, tool: tool.upstreamName, ref: JSON.stringify({ ...given, name: tool.upstreamName }) };
  }
  const found = findListed(methods.holder.viewFor(principal.user, scope).servers, asked);
  return found && { server: found.server, tool: found.uri, ref: JSON.stringify({ ...given, uri: found.uri }) };
}
