/**
 * The `requestState` that a modern client returns after the gateway asked the user to connect (MCP 2026-07-28). It
 * grants no access, so it is not sealed.
 */
import { readString } from "#lib/json/splice";
import type { RequestMessage } from "./read-request.ts";

export const CONNECT_STATE = "gatehouse-connect";

/** Members of such a retry that are for the gateway. They are not forwarded because the upstream requested no input. */
export const CONNECT_RETRY_MEMBERS: readonly string[] = ["inputResponses", "requestState"];

export function isConnectRetry({ params, source }: RequestMessage): boolean {
  const state = params?.members.get("requestState");
  return state?.kind === "string" && readString(source, state) === CONNECT_STATE;
}
