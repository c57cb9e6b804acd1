import type { Call } from "./call.ts";
import { refuseUnlogged, startedCall } from "./record.ts";

/** Third step: the call leaves only after its begin mark is in the spool (GW-21). */
export function begin(call: Call): void {
  const { request, context, to } = call;
  try {
    context.calls.begin(startedCall(request, context, to.method, to), () => call.send());
  } catch (error) {
    call.neverBegan();
    refuseUnlogged(request, context, error);
  }
}
