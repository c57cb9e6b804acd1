import { INVALID_PARAMS } from "../../envelope/errors.ts";
import type { GatewayContext, McpRequest } from "../../request.ts";
import { deny } from "../deny.ts";
import type { Forwarding } from "../forwarding.ts";

/** The retry is refused; the call that it meant has its own record. */
export function refuseRetry(request: McpRequest, context: GatewayContext, to: Forwarding, message: string): void {
  const { method, server } = to;
  const name = request.call.params?.name ?? request.call.params?.uri ?? "";
  deny(request, context, { method, name, server, message, code: INVALID_PARAMS });
}
