import { z } from "zod";
import { isoTime } from "#api/http/answers";
import { requiredText, text } from "#api/http/body-fields";
import { SCOPES } from "#api/http/scopes";
import type { ApiTokenRow } from "#storage/tables";

/** D22: a token's record never holds the token. */
export const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    expires_at: z.string().nullable(),
    last_used_at: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: "ApiToken" });

export const CreateApiTokenBody = z
  .object({
    name: requiredText("name"),
    scopes: z
      .array(z.enum(SCOPES, { error: `must be one of ${SCOPES.join(", ")}` }), {
        error: (issue) => (issue.input === undefined ? "scopes array cannot be empty" : "must be an array"),
      })
      .min(1, { error: "scopes array cannot be empty" })
      .max(SCOPES.length, { error: "must not repeat itself" }),
    expires_at: text(40)
      .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 timestamp" }))
      .nullish(),
  })
  .meta({ id: "CreateApiToken" });

export function presentApiToken(row: ApiTokenRow): z.input<typeof ApiToken> {
  return {
    id: row.id,
    name: row.name,
    scopes: [...row.scopes],
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
    last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
    created_at: isoTime(row.created_at),
  };
}
