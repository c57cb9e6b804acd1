import { z } from "zod";
import { choice, flag, requiredText, text } from "#api/kit/body-fields";
import { isSecureUrl } from "#identity/exchange/issuer-keys";
import { isSlug, LONG_SLUG_MAX_LENGTH, SLUG_MESSAGE, SLUG_PATTERN } from "#lib/slug";
import { isWebUrl } from "#lib/web-url";
import { CONDITION_OPERATORS, EXCHANGE_ALGORITHMS, SUBJECT_MATCHES } from "#storage/exchange-tables";

const OBJECT = { error: "must be an object" };
const ARRAY = { error: "must be an array" };
const MAX_CONDITIONS = 50;
const MAX_AUDIENCES = 20;
const MAX_KEYS = 50;
const MAX_GROUPS = 200;

const secureUrl = (field?: string) =>
  z
    .string({
      error: ({ input }) => (field && input === undefined ? `${field} is required` : "must be a string"),
    })
    .max(2_000, { error: "must be at most 2000 characters" })
    .refine(isWebUrl, { error: "must be a valid http or https URL" })
    .refine(isSecureUrl, { error: "must be an https URL; http is only allowed for loopback addresses" })
    .meta({ format: "uri" });
const seconds = (minimum: number, maximum: number) =>
  z
    .int({ error: "must be an integer" })
    .min(minimum, { error: `must be between ${minimum} and ${maximum}` })
    .max(maximum, { error: `must be between ${minimum} and ${maximum}` });

const claim = z
  .union([requiredText("claim", 500), z.array(requiredText("claim", 200), ARRAY).min(1).max(10)], {
    error: ({ input }) => (input === undefined ? "claim is required" : "must be a dotted path or an array of names"),
  })
  .describe("A dotted path such as `realm_access.roles`, or an array of names for names that contain dots");

const scalar = z.union([text(1_000), z.number(), z.boolean()], {
  error: "must be a string, a number or true or false",
});
const condition = z
  .object(
    {
      claim,
      operator: choice(CONDITION_OPERATORS).describe(
        "`equals`, `not_equals`, `in`, `matches` (`*` matches any characters, `?` one) or `exists`",
      ),
      value: z
        .union([scalar, z.array(text(1_000), ARRAY).min(1).max(200)], {
          error: "must be a value or an array of strings",
        })
        .optional()
        .describe("The value; an array for `in`; for `exists`, whether the claim must be there (default true)"),
    },
    OBJECT,
  )
  .superRefine(({ operator, value }, context) => {
    const problem = valueProblem(operator, value);
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["value"], message: problem });
  });

function valueProblem(operator: (typeof CONDITION_OPERATORS)[number], value: unknown): string | undefined {
  if (operator === "exists")
    return value === undefined || typeof value === "boolean" ? undefined : "must be true or false";
  if (value === undefined) return "value is required";
  if (operator === "in") return Array.isArray(value) ? undefined : "must be an array of strings";
  if (Array.isArray(value)) return "must be a single value";
  return operator === "matches" && typeof value !== "string" ? "must be a string" : undefined;
}

const subject = z
  .discriminatedUnion(
    "mode",
    [
      z.object({
        mode: z.literal("map").describe("A claim names the user"),
        claim: claim
          .nullish()
          .describe("The claim that names the user. Null: the first of `email`, `sub` and `client_id` in the token"),
        match: choice(SUBJECT_MATCHES)
          .optional()
          .describe(
            "What the claim contains. `email`: a person; `slug`: a machine user; `external_id`: either. `email` and `external_id` require the scope `all`. Default: `email`",
          ),
        require_verified_email: flag()
          .optional()
          .describe("Whether `email_verified` must be true if the claim is `email`. Default: true"),
        allow_admins: flag().optional().describe("Whether tokens can act as owners and admins. Default: false"),
      }),
      z.object({
        mode: z.literal("fixed").describe("All tokens act as one machine user"),
        machine_user: requiredText("machine_user").describe("Email of the machine user"),
      }),
    ],
    { error: ({ input }) => (typeof input === "object" ? "mode must be one of map, fixed" : "must be an object") },
  )
  .meta({ description: "Which user a token acts as" });

const groupName = requiredText("group");
const provision = z
  .object(
    {
      create_users: flag().optional().describe("Whether people without an account are created. Default: false"),
      groups: z
        .array(groupName, ARRAY)
        .max(MAX_GROUPS, { error: `must contain at most ${MAX_GROUPS} groups` })
        .optional()
        .describe("Names of the groups of created people"),
      group_claim: claim.nullish().describe("The claim that lists the issuer's groups. Null: none"),
      group_map: z
        .record(text(500), groupName, OBJECT)
        .refine((map) => Object.keys(map).length <= MAX_GROUPS, { error: `must contain at most ${MAX_GROUPS} groups` })
        .optional()
        .meta({ description: "The issuer's groups to names of groups", example: { "idp-finance": "Finance" } }),
      sync_groups: flag()
        .optional()
        .describe("Whether membership of the mapped groups follows the claim at every exchange. Default: false"),
    },
    OBJECT,
  )
  .meta({ description: "Accounts of people who have none. Omitted fields keep their values" });

const token = z
  .object(
    {
      access_ttl_seconds: seconds(60, 3_600).optional().describe("Lifetime of access tokens. Default: 900"),
      refresh: flag().optional().describe("Whether a refresh token is issued. Default: true"),
      refresh_ttl_seconds: seconds(60, 30 * 86_400)
        .optional()
        .describe("How long after the exchange tokens can be refreshed. Default: 86400"),
      scopes: z
        .array(choice(["mcp"]), ARRAY)
        .min(1, { error: "must contain mcp" })
        .max(1, { error: "must not repeat a scope" })
        .optional()
        .describe("Scopes of access tokens; always `mcp`"),
      bind_to_jwt_exp: flag()
        .optional()
        .describe("Whether nothing outlives the exchanged token. Default: true for `fixed`, otherwise false"),
    },
    OBJECT,
  )
  .meta({ description: "What is issued. Omitted fields keep their values" });

const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
const jwks = z
  .object(
    {
      keys: z
        .array(z.record(z.string(), z.unknown(), OBJECT), ARRAY)
        .min(1, { error: "must contain at least one key" })
        .max(MAX_KEYS, { error: `must contain at most ${MAX_KEYS} keys` })
        .refine((keys) => keys.every((key) => key.kty !== "oct" && !PRIVATE_MEMBERS.some((name) => name in key)), {
          error: "must contain only public keys",
        })
        .describe("Public keys as JWKs"),
    },
    OBJECT,
  )
  .meta({ description: "The issuer's keys, for issuers that this service cannot reach" });

const FIELDS = {
  name: requiredText("name").describe("Display name"),
  enabled: flag().optional().describe("Whether tokens are exchanged. Disabling ends all credentials. Default: true"),
  issuer: secureUrl("issuer").describe("The `iss` claim, compared exactly"),
  jwks_uri: secureUrl().nullish().describe("URL of the keys. Null: found by discovery"),
  jwks: jwks.nullish(),
  audiences: z
    .array(requiredText("audience", 500), {
      error: ({ input }) => (input === undefined ? "audiences is required" : "must be an array"),
    })
    .min(1, { error: "audiences array cannot be empty" })
    .max(MAX_AUDIENCES, { error: `must contain at most ${MAX_AUDIENCES} audiences` })
    .describe("The `aud` claim must contain one of these"),
  algorithms: z
    .array(choice(EXCHANGE_ALGORITHMS), ARRAY)
    .min(1, { error: "must contain at least one algorithm" })
    .max(EXCHANGE_ALGORITHMS.length, { error: "must not repeat an algorithm" })
    .nullish()
    .describe("Accepted signature algorithms. Default: RS256, PS256, ES256, EdDSA"),
  max_age_seconds: seconds(60, 86_400).optional().describe("Maximum age of a token by its `iat`. Default: 3600"),
  conditions: z
    .array(condition, ARRAY)
    .max(MAX_CONDITIONS, { error: `must contain at most ${MAX_CONDITIONS} conditions` })
    .optional()
    .describe("All must hold. If a claim is an array, one element must match"),
  subject: subject.nullish(),
  provision: provision.optional(),
  token: token.optional(),
  one_time_jti: flag().optional().describe("Whether each token can be exchanged once, by its `jti`. Default: false"),
  require_api_key: flag()
    .optional()
    .describe("Whether the exchange needs an API token with the scope `connect:exchange-auth`. Default: true"),
  passthrough: flag()
    .optional()
    .describe(
      "Whether the exchanged token is stored, sealed, for servers with the authentication `exchanged-token`, and returned as `id_token` by refreshes. Only for subjects from a claim. Default: false",
    ),
};

const EXAMPLE = {
  name: "GitHub Actions",
  issuer: "https://token.actions.githubusercontent.com",
  audiences: ["https://gatehouse.example.com"],
  conditions: [{ claim: "repository", operator: "matches" as const, value: "acme/*" }],
  subject: { mode: "fixed" as const, machine_user: "ci@machine.example.com" },
  require_api_key: false,
};

export const CreateExchangeProviderBody = z
  .object({
    slug: text(LONG_SLUG_MAX_LENGTH)
      .refine(isSlug, { error: SLUG_MESSAGE })
      .meta({ pattern: SLUG_PATTERN })
      .optional()
      .describe("The name in the call log; never changes. Generated from the name if omitted"),
    ...FIELDS,
  })
  .meta({ id: "CreateExchangeProvider", description: "A trusted issuer to create", example: EXAMPLE });

export const UpdateExchangeProviderBody = z
  .object(FIELDS)
  .partial()
  .meta({
    id: "UpdateExchangeProvider",
    description: "Fields to change. `subject` is replaced as a unit",
    example: { enabled: false },
  });

export type GivenProvider = z.output<typeof UpdateExchangeProviderBody>;
