import { errorBody, INTERNAL_ERROR, INVALID_PARAMS } from "../envelope/errors.ts";
import { META_SERVER_INFO, META_SUBSCRIPTION_ID } from "../envelope/meta-keys.ts";
import { withView } from "../lists/list-methods.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import { LIST_KINDS } from "../snapshot/list-kinds.ts";
import { type Resolution, resolve } from "../snapshot/resolve.ts";
import type { ServerResource } from "../snapshot/resources.ts";
import type { Source } from "../snapshot/shape.ts";
import { CallerStream } from "./caller-stream.ts";
import { MAX_SUBSCRIBED_URI, MAX_SUBSCRIPTIONS_PER_USER, type Subscriber } from "./resource-subscriptions.ts";

/** The request stays in memory while the stream is open. */
const MAX_REQUEST_BYTES = 64 * 1024;

/**
 * The modern way to receive changes: a stream that begins with the granted notifications, and whose messages all name
 * the subscription by the request's id.
 */
export function subscriptionsListen(request: McpRequest, context: GatewayContext): void {
  const { exchange, principal, scope, call } = request;
  const wishes = call.params?.members.get("notifications");
  if (wishes?.kind !== "object" || call.source.length > MAX_REQUEST_BYTES) {
    const problem = wishes?.kind === "object" ? "too large" : "params.notifications must be an object";
    exchange.answer(200, JSON_HEADERS, [errorBody(call.rawId, INVALID_PARAMS, `Invalid params: ${problem}`)]);
    return;
  }
  // The scanner verified that it is well formed.
  const asked = JSON.parse(call.source.text(wishes)) as Readonly<Record<string, unknown>>;
  const wanted = LIST_KINDS.filter((kind) => asked[`${kind}ListChanged`] === true);
  const tag = `${JSON.stringify(META_SUBSCRIPTION_ID)}:${call.rawId}`;
  const notification = (method: string, more = "") =>
    Buffer.from(`{"jsonrpc":"2.0","method":"notifications/${method}","params":{"_meta":{${tag}}${more}}}`);
  const resourceUpdated = (uri: string) => notification("resources/updated", `,"uri":${JSON.stringify(uri)}`);
  const meta = `{${tag},${JSON.stringify(META_SERVER_INFO)}:${context.serverInfoJson}}`;
  const stream = new CallerStream({
    exchange,
    principal,
    scope,
    watchers: context.sessions.watchers,
    listChanged: new Map(wanted.map((kind) => [kind, notification(`${kind}/list_changed`)])),
    resourceUpdated,
    closingMessage: Buffer.from(
      `{"jsonrpc":"2.0","id":${call.rawId},"result":{"resultType":"complete","_meta":${meta}}}`,
    ),
  });
  const updated = (uri: string) => stream.resourceUpdated(uri, resourceUpdated(uri));
  const open = (resources: readonly string[]) => {
    const granted = wanted.map((kind) => `"${kind}ListChanged":true`);
    if (resources.length > 0) granted.push(`"resourceSubscriptions":${JSON.stringify(resources)}`);
    const acknowledgement = notification("subscriptions/acknowledged", `,"notifications":{${granted.join(",")}}`);
    if (stream.open((events) => void events.send(acknowledgement), resources)) return;
    const body = errorBody(call.rawId, INTERNAL_ERROR, "Too many open streams; close one first");
    exchange.answer(429, [...JSON_HEADERS, "retry-after", "5"], [body]);
  };
  const uris = wantedResources(asked);
  if (uris.length === 0) open([]);
  else grantResources(request, context, uris, updated, open);
}

function wantedResources({ resourceSubscriptions: wanted }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(wanted)) return [];
  const uris = wanted.filter((uri) => typeof uri === "string" && uri.length <= MAX_SUBSCRIBED_URI);
  return [...new Set<string>(uris)].slice(0, MAX_SUBSCRIPTIONS_PER_USER);
}

/**
 * Subscribes at the upstreams first, so that everything acknowledged is received from then on. Ends with the exchange.
 */
function grantResources(
  request: McpRequest,
  context: GatewayContext,
  uris: readonly string[],
  updated: (uri: string) => void,
  open: (granted: readonly string[]) => void,
): void {
  const { exchange, principal, scope } = request;
  const { logger } = context;
  const { subscriptions } = context.sessions;
  let over = false;
  const subscriber: Subscriber = {
    id: exchange.requestId,
    session: undefined,
    principal,
    scope,
    isListening: () => !over,
    updated,
  };
  exchange.onOver(() => {
    over = true;
    subscriptions.end(subscriber);
  });
  withView(request, context, ({ sources }) => {
    const resolution = resolve(context.holder.current(), principal, scope);
    subscriptions.subscribeAll(subscriber, serverResources(resolution, sources, uris)).then(
      (granted) => (over ? subscriptions.end(subscriber) : open(granted)),
      (error: unknown) => {
        logger.error({ err: error, requestId: exchange.requestId }, "subscriptions failed");
        open([]);
      },
    );
  });
}

/** The existing resources that this caller can access. */
function serverResources(
  resolution: Resolution,
  sources: readonly Source[],
  uris: readonly string[],
): Map<string, ServerResource> {
  const found = new Map<string, ServerResource>();
  for (const uri of uris) {
    const decision = resolution.resource(uri, sources);
    if (decision?.kind === "forward") found.set(uri, decision);
  }
  return found;
}
