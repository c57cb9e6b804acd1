import { z } from "zod";
import { createdAt, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { CONDITION_OPERATORS, END_REASONS, EXCHANGE_ALGORITHMS, SUBJECT_MATCHES } from "#storage/exchange-tables";

const claim = z
  .union([z.string(), z.array(z.string())])
  .describe("A dotted path, or an array of names for names that contain dots");

const Condition = z.object({
  claim,
  operator: z.enum(CONDITION_OPERATORS).describe("How the claim is compared"),
  value: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .meta({ description: "The value; an array for `in`", example: "acme/*" }),
});

const Subject = z
  .object({
    mode: z
      .enum(["map", "fixed"])
      .describe("`map`: a claim names the user; `fixed`: all tokens act as one machine user"),
    claim: claim.nullable().optional().describe("Null: the first of `email`, `sub` and `client_id` in the token"),
    match: z.enum(SUBJECT_MATCHES).optional().describe("What the claim contains"),
    require_verified_email: z.boolean().optional().describe("Whether `email_verified` must be true"),
    allow_admins: z.boolean().optional().describe("Whether tokens can act as owners and admins"),
    machine_user: z.string().nullable().optional().describe("Email of the machine user; null: it was deleted"),
  })
  .describe("Which user a token acts as");

const Provision = z
  .object({
    create_users: z.boolean().describe("Whether people without an account are created"),
    groups: z.array(z.string()).describe("Names of the groups of created people"),
    group_claim: claim.nullable().describe("The claim that lists the issuer's groups; null: none"),
    group_map: z.record(z.string(), z.string()).describe("The issuer's groups to names of groups"),
    sync_groups: z.boolean().describe("Whether membership of the mapped groups follows the claim at every exchange"),
  })
  .describe("Accounts of people who have none");

const Token = z
  .object({
    access_ttl_seconds: z.int().meta({ description: "Lifetime of access tokens", example: 900 }),
    refresh: z.boolean().describe("Whether a refresh token is issued"),
    refresh_ttl_seconds: z
      .int()
      .meta({ description: "How long after the exchange tokens can be refreshed", example: 86_400 }),
    scopes: z.array(z.string()).meta({ description: "Scopes of access tokens", example: ["mcp"] }),
    bind_to_jwt_exp: z.boolean().describe("Whether nothing outlives the exchanged token"),
  })
  .describe("What is issued");

export const ExchangeProvider = z
  .object({
    id: recordId("iss"),
    slug: z.string().meta({ description: "The name in the call log; never changes", example: "github-actions" }),
    name: z.string().meta({ description: "Display name", example: "GitHub Actions" }),
    enabled: z.boolean().describe("Whether tokens are exchanged"),
    issuer: z.string().meta({ description: "The `iss` claim", example: "https://token.actions.githubusercontent.com" }),
    jwks_uri: z.string().nullable().describe("URL of the keys; null: found by discovery, or static"),
    jwks: z
      .object({ keys: z.array(z.record(z.string(), z.unknown())).describe("Public keys as JWKs") })
      .nullable()
      .describe("Static keys; null: fetched"),
    audiences: z
      .array(z.string())
      .meta({ description: "The `aud` claim must contain one of these", example: ["https://gatehouse.example.com"] }),
    algorithms: z.array(z.enum(EXCHANGE_ALGORITHMS)).describe("Accepted signature algorithms"),
    max_age_seconds: z.int().meta({ description: "Maximum age of a token by its `iat`", example: 3_600 }),
    conditions: z.array(Condition).describe("All must hold"),
    subject: Subject,
    provision: Provision,
    token: Token,
    one_time_jti: z.boolean().describe("Whether each token can be exchanged once"),
    require_api_key: z.boolean().describe("Whether the exchange needs an API token"),
    passthrough: z
      .boolean()
      .describe(
        "Whether the exchanged token is stored, sealed, for servers with the authentication `exchanged-token`, and returned as `id_token` by refreshes",
      ),
    active_credentials: z.int().meta({ description: "Number of credentials that are valid now", example: 3 }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "ExchangeProvider", description: "A trusted issuer whose tokens are exchanged for gateway tokens" });

export const warningsField = z.array(z.string()).optional().describe("What to check about this provider");

export const ExchangeCredential = z
  .object({
    id: recordId("exc"),
    provider: z.string().meta({ description: "Slug of the provider", example: "github-actions" }),
    user_email: z.string().meta({ description: "Email of the user", example: "ci@machine.example.com" }),
    subject: z.string().meta({ description: "The subject of the token", example: "repo:acme/app:ref:refs/heads/main" }),
    client_id: z.string().nullable().describe("The OAuth client that presented the token; null: none"),
    token_prefix: z.string().meta({ description: "Start of the newest access token", example: "gh_ex_…" }),
    scopes: z.array(z.string()).meta({ description: "Scopes of access tokens", example: ["mcp"] }),
    path: z.string().nullable().describe("The only gateway path that accepts it; null: all"),
    created_at: createdAt,
    expires_at: timestamp("When the last token issued for it expires"),
    last_used_at: timestamp("When an access token was last issued for it"),
    revoked_at: timestamp("When it was ended").nullable(),
    end_reason: z
      .enum(END_REASONS)
      .nullable()
      .describe(
        "Why it was ended. `ended`: by an admin; `revoked`: by its holder; `reused`: a refresh token was used twice; `replaced`: the subject has too many; `provider`: the provider was disabled or changed",
      ),
    active: z.boolean().describe("Whether it is valid now"),
    ip: z.string().nullable().describe("IP address of the exchange"),
  })
  .meta({ id: "ExchangeCredential", description: "What was issued for one exchanged token, without the tokens" });

export const ExchangedToken = z
  .object({
    access_token: z.string().meta({ description: "For the gateway, as a bearer token", example: "gh_ex_…" }),
    token_type: z.literal("Bearer").describe("`Bearer`"),
    expires_in: z.int().meta({ description: "Lifetime of the access token in seconds", example: 900 }),
    expires_at: timestamp("When the access token expires"),
    refresh_token: z.string().optional().meta({ description: "Absent if it cannot be refreshed", example: "gh_xr_…" }),
    id_token: z.string().optional().describe("The exchanged token; after a refresh only if the provider passes it on"),
    scope: z.string().meta({ description: "Scopes of the access token", example: "mcp" }),
    user: z
      .object({
        email: z.string().meta({ description: "Email", example: "ada@example.com" }),
        is_machine_user: z.boolean().describe("Whether it is a machine user"),
      })
      .describe("The user that the token acts as"),
    gateway_url: z.string().meta({ description: "URL of the gateway", example: "https://gatehouse.example.com/mcp" }),
  })
  .meta({ id: "ExchangedToken", description: "Tokens that act as the user at the gateway" });

export const ProviderTest = z
  .object({
    valid: z.boolean().describe("Whether all checks succeeded"),
    checks: z
      .array(
        z.object({
          name: z.string().meta({ description: "Name of the check", example: "audience" }),
          ok: z.boolean().describe("Whether it succeeded"),
          detail: z.string().meta({ description: "What was found", example: "https://gatehouse.example.com" }),
        }),
      )
      .describe("All checks in order. An exchange stops at the first one that fails"),
    claims: z.record(z.string(), z.unknown()).describe("The claims of the token; empty if it cannot be read"),
    user: z
      .object({
        email: z.string().meta({ description: "Email", example: "ada@example.com" }),
        is_machine_user: z.boolean().describe("Whether it is a machine user"),
        created: z.boolean().describe("Whether an exchange would create the user"),
      })
      .optional()
      .describe("The user that the token would act as; absent: none"),
  })
  .meta({ id: "ExchangeProviderTest", description: "Why a token is accepted or refused" });
