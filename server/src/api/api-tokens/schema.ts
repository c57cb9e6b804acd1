import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp } from "#api/kit/answers";
import { requiredText, text } from "#api/kit/body-fields";
import { SCOPES } from "#api/kit/scopes";
import type { ShownApiToken } from "#records/api-tokens";

/** D22. */
export const ApiToken = z
  .object({
    id: recordId("tok"),
    name: z.string().meta({ description: "Name of the token", example: "Nightly report" }),
    prefix: z.string().nullable().meta({
      description: "The first part of the token, which identifies it and is not secret. Null: unknown",
      example: "gh_at_4fK2mQ8xWz1c",
    }),
    scopes: z.array(z.string()).meta({ description: "Scopes of the token", example: ["admin:read"] }),
    expires_at: timestamp("When the token expires. Null: never").nullable(),
    last_used_at: timestamp("When the token was last used, to the minute. Null: never used").nullable(),
    created_by: z.string().nullable().meta({
      description: "The email of the person or the name of the API token that created it. Null: unknown",
      example: "ada@example.com",
    }),
    created_by_id: z.string().nullable().meta({
      description: "The ID of the person or API token that created it. Null: unknown, or the operator",
      example: "usr_01kc5v6q3zt9x4m2e8h7d5n1pw",
    }),
    responsible: z.string().nullable().meta({
      description:
        "The email of the responsible person: the creator, or the person who is responsible for the token that created it. The token is deleted when this person stops being an owner. Null: the operator, or unknown",
      example: "ada@example.com",
    }),
    created_at: createdAt,
  })
  .meta({ id: "ApiToken", description: "An API token, without its value" });

function scopes() {
  return z
    .array(z.enum(SCOPES, { error: `must be one of ${SCOPES.join(", ")}` }), {
      error: (issue) => (issue.input === undefined ? "scopes array cannot be empty" : "must be an array"),
    })
    .min(1, { error: "scopes array cannot be empty" })
    .max(SCOPES.length, { error: "must not contain duplicates" })
    .describe("Scopes of the token");
}

export const CreateApiToken = z
  .object({
    name: requiredText("name").describe("Name of the token"),
    scopes: scopes(),
    expires_at: text(40)
      .meta({ format: "date-time" })
      .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 timestamp" }))
      .nullish()
      .describe("When the token expires. Omitted or null: never"),
  })
  .meta({
    id: "CreateApiToken",
    description: "An API token to create",
    example: { name: "Nightly report", scopes: ["admin:read"], expires_at: "2030-01-31T00:00:00Z" },
  });
export function presentApiToken(row: ShownApiToken): z.input<typeof ApiToken> {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: [...row.scopes],
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
    last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
    created_by: row.created_by,
    created_by_id: row.creator_id ?? null,
    responsible: row.responsible_email,
    created_at: isoTime(row.created_at),
  };
}
