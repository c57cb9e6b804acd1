import type { LoggedMethod } from "../call-log/record.ts";
import { errorBody, INVALID_PARAMS } from "../envelope/errors.ts";
import { type GatewayContext, JSON_HEADERS, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import { endCall } from "./record.ts";

export interface Denial {
  readonly method: LoggedMethod;
  /** The requested name, as the caller sent it. */
  readonly name: string;
  readonly message: string;
  readonly code?: number;
  readonly data?: unknown;
  /** Defaults to 200. */
  readonly status?: number;
}

/** Answers and logs a request that is not forwarded. */
export function deny(request: McpRequest, context: GatewayContext, { method, name, message, ...rest }: Denial): void {
  const body = errorBody(request.call.rawId, rest.code ?? INVALID_PARAMS, message, rest.data);
  const tool = name.slice(0, MAX_LOGGED_NAME) || undefined;
  const ending = { outcome: "denied", responseBytes: body.length, tool, error: message } as const;
  endCall(request, context, method, ending, () => {
    request.exchange.answer(rest.status ?? 200, JSON_HEADERS, [body]);
  });
}
