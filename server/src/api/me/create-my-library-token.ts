import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { requiredText } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { Refusal } from "#lib/errors";
import { listLibraryTokens, makeLibraryToken } from "#records/credentials";
import { lockUserById } from "#records/users";
import { LibraryToken, presentLibraryToken } from "./library-token.ts";

const MAX_TOKENS = 20;
const DEFAULT_DAYS = 90;
const DAYS_RANGE = "must be a whole number from 1 to 365";
const DAY_MS = 24 * 60 * 60 * 1000;

/** Decision 0144: git and scripts cannot sign in with a browser. */
export const createMyLibraryToken = write({
  id: "createMyLibraryToken",
  route: "POST /api/me/library-tokens",
  tag: "Me",
  summary: "Create a token for git and scripts",
  description:
    "Fetches the caller's plugins and skills, as a bearer token or as the password of HTTP Basic. It is not valid for `/mcp`.",
  scope: "any",
  callers: "people",
  body: z
    .object({
      name: requiredText("name", 100).describe("Where the token is used"),
      expires_in_days: z
        .int({ error: DAYS_RANGE })
        .min(1, { error: DAYS_RANGE })
        .max(365, { error: DAYS_RANGE })
        .optional()
        .describe(`Days until it expires. Default: ${DEFAULT_DAYS}`),
    })
    .meta({
      id: "CreateLibraryToken",
      description: "A token to create",
      example: { name: "Laptop", expires_in_days: 90 },
    }),
  answers: {
    201: z.object({
      data: LibraryToken.extend({
        token: z
          .string()
          .optional()
          .meta({ description: "The token. Omitted when an idempotent request is repeated", example: "gh_lt_…" }),
      }),
    }),
  },
  refusals: [400, 409],
  onCrash: "Failed to create token",
  shownOnce: ["token"],
  async run({ tx, trail, visitor, body, context }) {
    const { user } = personOf(visitor);
    await lockUserById(tx, user.id);
    if ((await listLibraryTokens(tx, user.id)).length >= MAX_TOKENS)
      throw new Refusal("conflict", `You have ${MAX_TOKENS} tokens. Delete one first`);
    const { vault, newId, random, clock } = context;
    const now = clock.now();
    const expiresAt = now + (body.expires_in_days ?? DEFAULT_DAYS) * DAY_MS;
    const making = { userId: user.id, name: body.name, now, expiresAt, newId, random, vault };
    const { id, token } = await makeLibraryToken(tx, trail, making);
    const made = (await listLibraryTokens(tx, user.id)).find((row) => row.id === id);
    if (!made) throw new Error("the token was not stored");
    trail.audit({
      operation: "createMyLibraryToken",
      target: { kind: "user", id: user.id, name: user.email },
      after: { name: body.name, prefix: made.access_key, expires_at: isoTime(expiresAt) },
    });
    return { status: 201, body: { data: { ...presentLibraryToken(made), token } } };
  },
});
