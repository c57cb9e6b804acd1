import { errorBody, INTERNAL_ERROR } from "../envelope/errors.ts";
import type { UpstreamFailure } from "../upstream/failure.ts";
import type { Call } from "./call.ts";
import { connectFirst } from "./connect-first.ts";

/** The answer when the upstream could not be reached, refused, or failed. */
export function failureBody({ request, context, to }: Call, { kind, message }: UpstreamFailure): Buffer {
  if (kind === "not-connected") return connectFirst(request, context, to.server, message);
  const { call, exchange } = request;
  return errorBody(call.rawId, INTERNAL_ERROR, message, { requestId: exchange.requestId });
}
