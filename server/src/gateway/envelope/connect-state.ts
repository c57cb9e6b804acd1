/**
 * What a modern client shows when it comes back from a question of ours (MCP 2026-07-28: `requestState`). It gives no
 * right to anything, so it need not be sealed.
 */
import { readString } from "#lib/json/splice";
import type { RequestMessage } from "./read-request.ts";

export const CONNECT_STATE = "gatehouse-connect";

/** What of such a request is for us and not for the upstream, which asked nothing. */
export const OURS_WHEN_BACK: readonly string[] = ["inputResponses", "requestState"];

export function answersConnect({ params, source }: RequestMessage): boolean {
  const state = params?.members.get("requestState");
  return state?.kind === "string" && readString(source, state) === CONNECT_STATE;
}
