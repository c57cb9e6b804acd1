import type { Refusal } from "#lib/errors";
import type { Call } from "./call.ts";
import { forwardedCall } from "./forwarded-call.ts";
import { recordUnsent, refuseUnlogged, startedCall } from "./record.ts";

/** Third step: the call leaves only after its begin mark is in the spool (GW-21). */
export function begin(call: Call): void {
  const { request, context, to } = call;
  request.exchange.observer?.forwarded(forwardedCall(call));
  try {
    context.calls.begin(startedCall(request, context, to.method, to), (failure) =>
      failure === undefined ? call.send() : refuse(call, failure),
    );
  } catch (error) {
    call.neverBegan();
    refuseUnlogged(request, context, error);
  }
}

/** The begin mark is written later, so a record must follow it. */
function refuse(call: Call, failure: Refusal): void {
  if (call.ended) return;
  const { request, context, to } = call;
  call.neverBegan();
  recordUnsent(request, context, to.method, to);
  refuseUnlogged(request, context, failure);
}
