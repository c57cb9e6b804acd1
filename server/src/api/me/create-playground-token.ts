import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { Refusal } from "#lib/errors";
import { makeAppToken } from "#records/credentials";
import { lockWebSession } from "#records/web-sessions";

const LIFETIME_MS = 5 * 60 * 1000;

/** The playground calls the gateway like any other client, with this token. */
export const createPlaygroundToken = write({
  id: "createPlaygroundToken",
  route: "POST /api/me/playground-token",
  tag: "Me",
  summary: "Create a token for the playground",
  description:
    "Authenticates at `/mcp` as the caller. Expires after 5 minutes, or earlier with the web session. The logs mark its calls as made from the app.",
  scope: "any",
  callers: "people",
  answers: {
    201: z.object({
      token: z
        .string()
        .optional()
        .meta({ description: "The token. Omitted when an idempotent request is repeated", example: "gh_ap_…" }),
      expires_at: timestamp("When the token expires"),
    }),
  },
  refusals: [],
  onCrash: "Failed to create playground token",
  shownOnce: ["token"],
  unaudited: "Each visit of the playground creates one, and the call log lists the calls made with it",
  async run({ tx, trail, visitor, context }) {
    const { user, session } = personOf(visitor);
    if (!(await lockWebSession(tx, session.id))) throw new Refusal("unauthenticated", "the web session has ended");
    const { vault, newId, random } = context;
    const now = context.clock.now();
    const expiresAt = Math.min(now + LIFETIME_MS, session.expires_at);
    const making = { userId: user.id, webSessionId: session.id, now, expiresAt, newId, random, vault };
    const { token } = await makeAppToken(tx, trail, making);
    const expires_at = isoTime(expiresAt);
    return { status: 201, body: { token, expires_at } };
  },
});
