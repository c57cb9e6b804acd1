import { CONNECT_STATE } from "../../envelope/connect-state.ts";
import { readInputResponses, requestStateOf } from "../../envelope/input-required.ts";
import type { GatewayContext, McpRequest } from "../../request.ts";
import { countForUser, refuseBusyCaller, userRefusal } from "../admit.ts";
import type { Forwarding } from "../call.ts";
import { ForwardedRetry } from "./forwarded-retry.ts";
import { refuseRetry } from "./refuse-retry.ts";
import { INVALID_STATE } from "./retry-errors.ts";
import { isRetryToken, readToken } from "./retry-token.ts";

/** Continues a held call if the request is for one. False if the request is to be forwarded like any other. */
export function continueCall(request: McpRequest, context: GatewayContext, to: Forwarding): boolean {
  const state = requestStateOf(request.call);
  if (state === undefined) return false;
  if (isRetryToken(state)) {
    continueHeld(request, context, to, state);
    return true;
  }
  const { eras } = to.server.upstream ?? {};
  // Only modern upstreams issue such states. A legacy one would ignore it and execute the call once more.
  if (state === CONNECT_STATE || eras?.length !== 1 || eras[0] !== "legacy") return false;
  refuseRetry(request, context, to, INVALID_STATE);
  return true;
}

function continueHeld(request: McpRequest, context: GatewayContext, to: Forwarding, state: string): void {
  const { heldCalls } = context;
  const token = readToken(heldCalls.needs, state, { request, to });
  const responses = readInputResponses(request.call);
  if (!token) return refuseRetry(request, context, to, INVALID_STATE);
  if (!responses) return refuseRetry(request, context, to, "inputResponses must be an object of objects");
  const { id, round, process } = token;
  const held = process === undefined ? heldCalls.find(id, round) : undefined;
  if (typeof held === "string") return refuseRetry(request, context, to, held);
  // The call has kept its slots in the limits of its group and its tool.
  const refusal = userRefusal(request, context);
  if (refusal) return refuseBusyCaller(request, context, to, refusal);
  const userCalls = countForUser(request, context);
  if (held) held.continueWith(request, responses, userCalls);
  else if (process !== undefined) new ForwardedRetry(request, context, to, userCalls).start({ id, round, process });
}
