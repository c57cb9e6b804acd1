/**
 * The `requestState` that a modern client returns after the gateway asked the user to connect, or to open URLs for a
 * legacy server (MCP 2026-07-28). The retry is a new call. It grants no access, so it is not sealed.
 */
import { requestStateOf } from "./input-required.ts";
import type { RequestMessage } from "./read-request.ts";

export const CONNECT_STATE = "gatehouse-connect";

export function isConnectRetry(call: RequestMessage): boolean {
  return requestStateOf(call) === CONNECT_STATE;
}
