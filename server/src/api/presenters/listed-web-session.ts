import { z } from "zod";
import { isoTime, recordId, timestamp } from "#api/kit/answers";
import type { WebSessionRow } from "#storage/sign-in-tables";

export const WebSession = z
  .object({
    id: recordId("ses"),
    current: z.boolean().meta({ description: "Whether this is the session of the request", example: true }),
    method: z.string().meta({
      description: "How the person authenticated: password, setup, invitation or oidc",
      example: "password",
    }),
    address: z.string().meta({ description: "IP address that signed in", example: "192.0.2.7" }),
    user_agent: z.string().describe("User agent of the browser"),
    created_at: timestamp("When the session began"),
    last_seen_at: timestamp("When the session was last used, to within a minute"),
    expires_at: timestamp("When the session expires, regardless of use"),
  })
  .meta({ id: "WebSession", description: "A browser in which a person is signed in" });

/** `currentId` is the id of the web session that sent the request, if any. */
export function presentWebSession(
  row: Omit<WebSessionRow, "token_hash">,
  currentId: string | undefined,
): z.input<typeof WebSession> {
  return {
    id: row.id,
    current: row.id === currentId,
    method: row.method,
    address: row.address,
    user_agent: row.user_agent,
    created_at: isoTime(row.created_at),
    last_seen_at: isoTime(row.last_seen_at),
    expires_at: isoTime(row.expires_at),
  };
}
