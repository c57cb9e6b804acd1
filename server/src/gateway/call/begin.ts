import type { Call } from "./call.ts";
import { refuseUnlogged, startedCall } from "./request.ts";

/** Third step: the call leaves only after its begin mark is in the spool (GW-21). */
export function begin(call: Call): void {
  const { request, methods, to } = call;
  try {
    methods.calls.begin(startedCall(request, methods, to.method, to), () => call.send());
  } catch (error) {
    call.neverBegan();
    refuseUnlogged(request, methods, error);
  }
}
