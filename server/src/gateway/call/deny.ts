import type { LoggedMethod } from "../call-log/record.ts";
import { errorBody, INVALID_PARAMS } from "../envelope/errors.ts";
import { endCall, JSON_HEADERS, LONGEST_LOGGED_NAME, type McpRequest, type Methods } from "./request.ts";

export interface Denial {
  readonly method: LoggedMethod;
  /** What was asked for, as the caller called it. */
  readonly name: string;
  readonly message: string;
  readonly code?: number;
  readonly data?: unknown;
  /** Default 200. */
  readonly status?: number;
}

/** Answers and logs a request that goes nowhere. */
export function deny(request: McpRequest, methods: Methods, { method, name, message, ...rest }: Denial): void {
  const body = errorBody(request.call.rawId, rest.code ?? INVALID_PARAMS, message, rest.data);
  const tool = name.slice(0, LONGEST_LOGGED_NAME) || undefined;
  const ending = { outcome: "denied", responseBytes: body.length, tool, error: message } as const;
  endCall(request, methods, method, ending, () => {
    request.exchange.answer(rest.status ?? 200, JSON_HEADERS, [body]);
  });
}
