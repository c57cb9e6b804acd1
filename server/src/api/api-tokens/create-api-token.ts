import { z } from "zod";
import { write } from "#api/kit/operation";
import { invalid } from "#lib/errors";
import { apiTokenPrefix, newApiToken } from "#lib/tokens";
import { apiTokenHash, insertApiToken } from "#records/api-tokens";
import { lockIssuer } from "#records/issuers";
import { findUserById } from "#records/users";
import type { ApiTokenRow } from "#storage/user-tables";
import { ApiToken, CreateApiToken, presentApiToken } from "./schema.ts";

/** D22: only this response contains the token. The database has its hash. */
export const createApiToken = write({
  id: "createApiToken",
  route: "POST /api/api-tokens",
  tag: "API Tokens",
  summary: "Create an API token",
  description:
    "The response contains the token, which cannot be retrieved later. The token is deleted when the person who is responsible for it stops being an owner, or is disabled or deleted.",
  // A token must not create a token with more scopes than its own, so this requires the scope `all`.
  scope: "all",
  body: CreateApiToken,
  answers: {
    201: z.object({
      data: ApiToken,
      token: z
        .string()
        .optional()
        .meta({ description: "The token. Omitted when an idempotent request is repeated", example: "gh_at_…" }),
    }),
  },
  refusals: [400],
  onCrash: "Failed to create API token",
  shownOnce: ["token"],
  async run({ tx, trail, body, context, actor }) {
    const now = context.clock.now();
    const expiresAt = body.expires_at == null ? null : Date.parse(body.expires_at);
    if (expiresAt !== null && expiresAt <= now) throw invalid("expires_at", "must be in the future");
    const responsibleId = await lockIssuer(tx, actor, "all");
    const token = newApiToken(context.random);
    const row: ApiTokenRow = {
      id: context.newId("tok"),
      name: body.name,
      token_hash: apiTokenHash(token),
      prefix: apiTokenPrefix(token),
      scopes: [...new Set(body.scopes)],
      expires_at: expiresAt,
      last_used_at: null,
      created_by: actor.name,
      creator_id: actor.id,
      responsible_id: responsibleId,
      created_at: now,
    };
    await insertApiToken(tx, row);
    const responsible = responsibleId === null ? undefined : await findUserById(tx, responsibleId);
    const data = presentApiToken({ ...row, responsible_email: responsible?.email ?? null });
    trail.audit({
      operation: "createApiToken",
      target: { kind: "api-token", id: row.id, name: row.name },
      after: data,
    });
    return { status: 201, body: { data, token } };
  },
});
