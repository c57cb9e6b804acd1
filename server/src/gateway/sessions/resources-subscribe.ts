import {
  errorBody,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND_LEGACY,
  resultBody,
} from "../envelope/errors.ts";
import { withView } from "../lists/list-methods.ts";
import { type GatewayContext, JSON_HEADERS, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import { resolve } from "../snapshot/resolve.ts";
import type { ServerResource } from "../snapshot/resources.ts";
import { MAX_SUBSCRIBED_URI } from "./resource-subscriptions.ts";
import type { McpSession } from "./sessions.ts";

/** URIs contain no control characters, and not every database accepts them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]/;

type Act = (session: McpSession, found: ServerResource, asked: string) => Promise<Refusal | undefined>;

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Legacy: notifies the caller on the session's stream when the resource changes. */
export function resourcesSubscribe(request: McpRequest, context: GatewayContext): void {
  const { principal, scope } = request;
  answer(request, context, async (session, found, asked) => {
    const subscriber = context.sessions.streams.subscriberOf(session, principal, scope);
    const outcome = await context.sessions.sessionSubscriptions.subscribe(subscriber, found, asked);
    return outcome === "ok" ? undefined : refusalOf(outcome, found.server.slug);
  });
}

export function resourcesUnsubscribe(request: McpRequest, context: GatewayContext): void {
  answer(request, context, async (session, found) => {
    await context.sessions.sessionSubscriptions.unsubscribe(session, found);
    return undefined;
  });
}

function refusalOf(outcome: "never" | "broken" | "too-many", slug: string): Refusal {
  if (outcome === "too-many") return { code: INVALID_REQUEST, message: "Too many subscriptions; end one first" };
  if (outcome === "broken") return { code: INTERNAL_ERROR, message: `Listening to server "${slug}" failed; try again` };
  return { code: METHOD_NOT_FOUND, message: `Server "${slug}" does not support subscriptions to this resource` };
}

function answer(request: McpRequest, context: GatewayContext, act: Act): void {
  const { exchange, call, session } = request;
  const refuse = ({ code, message }: Refusal, data?: unknown) =>
    exchange.answer(200, JSON_HEADERS, [errorBody(call.rawId, code, message, data)]);
  const uri = call.params?.uri;
  if (uri === undefined || uri.length > MAX_SUBSCRIBED_URI || !uri.isWellFormed() || CONTROL_CHARACTERS.test(uri))
    return refuse({ code: INVALID_PARAMS, message: "params.uri must be the URI of a resource, and not too long" });
  if (!session) return refuse({ code: INVALID_REQUEST, message: "Subscriptions require a session" });
  withView(request, context, ({ sources }) => {
    const found = resolve(context.holder.current(), request.principal, request.scope).resource(uri, sources);
    const missing = { code: RESOURCE_NOT_FOUND_LEGACY, message: "Resource not found" };
    if (found?.kind !== "forward") return refuse(missing, { uri: uri.slice(0, MAX_LOGGED_NAME) });
    act(session, found, uri).then(
      (refusal) => (refusal ? refuse(refusal) : exchange.answer(200, JSON_HEADERS, [resultBody(call.rawId, "{}")])),
      (error: unknown) => {
        context.logger.error({ err: error, requestId: exchange.requestId }, "a subscription failed");
        refuse({ code: INTERNAL_ERROR, message: "Internal error" });
      },
    );
  });
}
