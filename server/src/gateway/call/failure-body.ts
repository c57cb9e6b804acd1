import { errorBody, INTERNAL_ERROR } from "../envelope/errors.ts";
import type { UpstreamFailure } from "../upstream/failure.ts";
import type { Call } from "./call.ts";
import { connectionRequiredBody } from "./connection-required.ts";

/** The response if the upstream was unreachable, refused, or failed. */
export function failureBody({ request, context, to }: Call, { kind, message }: UpstreamFailure): Buffer {
  if (kind === "not-connected") return connectionRequiredBody(request, context, to.server, message);
  const { call, exchange } = request;
  return errorBody(call.rawId, INTERNAL_ERROR, message, { requestId: exchange.requestId });
}
