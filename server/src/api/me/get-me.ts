import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { ROLE_SCOPES } from "#api/kit/scopes";
import type { Visitor } from "#api/kit/web-session";
import { type SignInMethod, signInMethodsOf } from "#identity/sign-in-methods";
import { Refusal } from "#lib/errors";
import { recentAccountResets } from "#records/account-resets";
import { findApiTokenById } from "#records/api-tokens";
import { readSettings } from "#records/settings";
import type { AccountResetRow } from "#storage/sign-in-tables";
import type { ApiTokenRow } from "#storage/user-tables";

const AccountReset = z
  .object({
    id: recordId("rst"),
    reason: z.enum(["invitation", "sso"]).meta({
      description:
        "`invitation`: a new invitation was accepted; connections, web sessions, MCP clients, and API tokens were deleted. `sso`: the first single sign-on removed the password and ended web sessions and MCP clients",
      example: "invitation",
    }),
    invited_by: z.string().nullable().meta({
      description: "Who created the invitation. Null: unknown, or no invitation",
      example: "grace@example.com",
    }),
    invited_by_type: z
      .enum(["user", "api_token"])
      .nullable()
      .describe("Whether `invited_by` names a person or an API token. Null: unknown, or no invitation"),
    address: z.string().meta({ description: "The IP address of the browser", example: "203.0.113.7" }),
    created_at: createdAt,
  })
  .meta({ id: "AccountReset", description: "A reset of the account, of which the person is notified" });

const Me = z
  .object({
    type: z
      .enum(["api_token", "user"])
      .meta({ description: "Whether the caller is an API token or a signed-in person", example: "api_token" }),
    id: z.string().meta({ description: "The ID of the token or person", example: "tok_01kc5v6q3zt9x4m2e8h7d5n1pw" }),
    name: z.string().meta({ description: "The name of the token or person", example: "Nightly report" }),
    scopes: z.array(z.string()).meta({ description: "The caller's scopes", example: ["admin:read"] }),
    expires_at: timestamp("When the token or web session expires. Null: never").nullable(),
    last_used_at: timestamp("When the token or web session was last used, to the minute").nullable(),
    created_at: createdAt,
    email: z.string().optional().meta({ description: "People only: the email", format: "email" }),
    role: z.string().optional().meta({ description: "People only: the role", example: "admin" }),
    web_session_id: z.string().optional().describe("People only: the ID of the current web session"),
    authenticated_at: timestamp("People only: the last authentication").optional(),
    sign_in_methods: z
      .array(z.enum(["password", "sso"]))
      .optional()
      .describe(
        "People only: methods for authenticating again: `password` with `confirmMyPassword`, `sso` with the page `/sso?confirm=true`",
      ),
    account_resets: z
      .array(AccountReset)
      .optional()
      .describe("People only: resets of the account within the last 30 days, newest first"),
    csrf_token: z
      .string()
      .optional()
      .describe("People only: the value of the header `x-csrf-token`, required for every change"),
  })
  .meta({ id: "Me", description: "The caller, without credentials" });

const Organization = z
  .object({
    name: z.string().meta({ description: "The organization's name, shown to MCP clients", example: "Example" }),
    domain: z.string().meta({ description: "The domain of machine users' emails", example: "example.com" }),
    access_requests: z.boolean().describe("Whether people can browse servers and request access"),
    help_contact: z.string().nullable().meta({
      description: "Help contact: an email or a URL. Null: none",
      example: null,
    }),
  })
  .meta({ id: "Organization", description: "The organization of this installation" });

const webUrl = (description: string, example: string) => z.string().meta({ description, format: "uri", example });

/** D22: the first request of the CLI and the admin app. */
export const getMe = read({
  id: "getMe",
  route: "GET /api/me",
  tag: "Me",
  summary: "Get the caller, the organization, and the URLs",
  description: "Accepts every valid token. Use it to test a token and to find the gateway URL.",
  scope: "any",
  answers: {
    200: z.object({
      data: Me,
      organization: Organization,
      gateway_url: webUrl("The gateway URL, without `/mcp`", "https://gateway.example.com"),
      base_url: webUrl("The URL of this API and the admin app", "https://gatehouse.example.com"),
      version: z.string().meta({ description: "The version of Gatehouse", example: "0.1.0" }),
    }),
  },
  refusals: [],
  onCrash: "Failed to retrieve the caller",
  async run({ db, actor, visitor, context }) {
    const data = visitor
      ? presentPerson(
          visitor,
          await signInMethodsOf(db, visitor.user.id),
          await recentAccountResets(db, visitor.user.id, context.clock.now()),
        )
      : presentToken(await findApiTokenById(db, actor.id));
    const { orgName, orgDomain, gatewayUrl, baseUrl, version } = context;
    const { help_contact, access_requests } = await readSettings(db);
    const organization = { name: orgName, domain: orgDomain, access_requests, help_contact };
    return { status: 200, body: { data, organization, gateway_url: gatewayUrl, base_url: baseUrl, version } };
  },
});

function presentToken(token: ApiTokenRow | undefined): z.input<typeof Me> {
  // Deleted after the request was authenticated.
  if (!token) throw new Refusal("unauthenticated", "the token was deleted");
  return {
    type: "api_token",
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    expires_at: token.expires_at === null ? null : isoTime(token.expires_at),
    last_used_at: token.last_used_at === null ? null : isoTime(token.last_used_at),
    created_at: isoTime(token.created_at),
  };
}

function presentPerson(
  { user, session, csrfToken }: Visitor,
  methods: SignInMethod[],
  resets: readonly AccountResetRow[],
): z.input<typeof Me> {
  return {
    type: "user",
    id: user.id,
    name: user.name,
    scopes: [...ROLE_SCOPES[user.role]],
    expires_at: isoTime(session.expires_at),
    last_used_at: isoTime(session.last_seen_at),
    created_at: isoTime(session.created_at),
    email: user.email,
    role: user.role,
    web_session_id: session.id,
    authenticated_at: isoTime(session.authenticated_at),
    sign_in_methods: methods,
    account_resets: resets.map(({ id, reason, invited_by, invited_by_kind, address, created_at: at }) => {
      return { id, reason, invited_by, invited_by_type: invited_by_kind, address, created_at: isoTime(at) };
    }),
    csrf_token: csrfToken,
  };
}
