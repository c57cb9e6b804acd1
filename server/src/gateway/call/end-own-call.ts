import type { LoggedMethod } from "../call-log/record.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import { UNCOUNTED_BYTES } from "../upstream/limits/response-memory.ts";
import { refuseBusyCaller } from "./admit.ts";
import { type Ending, endCall } from "./record.ts";

const BUSY = { message: "The gateway is busy; try again", retrySeconds: 1 };

/** Records and answers a call that no server answers. A large response counts until its caller has read it (GW-10). */
export function endOwnCall(
  request: McpRequest,
  context: GatewayContext,
  method: LoggedMethod,
  body: Buffer,
  ending: Omit<Ending, "responseBytes">,
): void {
  const { exchange } = request;
  if (body.length > UNCOUNTED_BYTES && !exchange.hold(body.length)) {
    const { serverSlug, tool } = ending;
    return refuseBusyCaller(request, context, { method, serverSlug, tool }, BUSY);
  }
  endCall(request, context, method, { ...ending, responseBytes: body.length }, () =>
    exchange.answer(200, JSON_HEADERS, [body]),
  );
}
