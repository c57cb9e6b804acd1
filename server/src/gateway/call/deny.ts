import type { LoggedMethod } from "../call-log/record.ts";
import { errorBody, INVALID_PARAMS } from "../envelope/errors.ts";
import { type GatewayContext, JSON_HEADERS, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { endCall } from "./record.ts";

export interface Denial {
  readonly method: LoggedMethod;
  /** The requested name, as the caller sent it. */
  readonly name: string;
  /** The server that the name refers to, if there is one. Callers are not told whether there is (D26). */
  readonly server?: ServerEntry | undefined;
  readonly message: string;
  readonly code?: number;
  readonly data?: unknown;
  /** Defaults to 200. */
  readonly status?: number;
}

/** Answers and logs a request that is not forwarded. */
export function deny(
  request: McpRequest,
  context: GatewayContext,
  { method, name, server, message, ...rest }: Denial,
): void {
  const body = errorBody(request.call.rawId, rest.code ?? INVALID_PARAMS, message, rest.data);
  const prefix = server && request.scope.prefixed ? `${server.slug}__` : "";
  const tool = name.slice(name.startsWith(prefix) ? prefix.length : 0).slice(0, MAX_LOGGED_NAME) || undefined;
  const responseBytes = body.length;
  const ending = { outcome: "denied", responseBytes, serverSlug: server?.slug, tool, error: message } as const;
  endCall(request, context, method, ending, () => {
    request.exchange.answer(rest.status ?? 200, JSON_HEADERS, [body]);
  });
}
