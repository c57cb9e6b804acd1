import { z } from "zod";
import { createdAt, isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { ROLE_SCOPES } from "#api/kit/scopes";
import type { Visitor } from "#api/kit/web-session";
import { type SignInMethod, signInMethodsOf } from "#identity/sign-in-methods";
import { Refusal } from "#lib/errors";
import { findApiTokenById } from "#records/api-tokens";
import { readSettings } from "#records/settings";
import type { ApiTokenRow } from "#storage/user-tables";

const Me = z
  .object({
    type: z
      .enum(["api_token", "user"])
      .meta({ description: "Whether a token calls or a person who is signed in", example: "api_token" }),
    id: z.string().meta({ description: "The token's or the person's id", example: "tok_01kc5v6q3zt9x4m2e8h7d5n1pw" }),
    name: z.string().meta({ description: "What the token is for, or the person's name", example: "Nightly report" }),
    scopes: z.array(z.string()).meta({ description: "What the caller may do", example: ["admin:read"] }),
    expires_at: timestamp("When the token or the web session ends; null: never").nullable(),
    last_used_at: timestamp("When the token or the web session was last used, to within a minute").nullable(),
    created_at: createdAt,
    email: z.string().optional().meta({ description: "People only", format: "email" }),
    role: z.string().optional().meta({ description: "People only: what they may do", example: "admin" }),
    web_session_id: z.string().optional().describe("People only: the web session that asks"),
    authenticated_at: timestamp("People only: when they last proved who they are").optional(),
    sign_in_methods: z
      .array(z.enum(["password", "sso"]))
      .optional()
      .describe(
        "People only: by what they can prove again who they are: `confirmMyPassword`, or the page `/sso?confirm=true`",
      ),
    csrf_token: z
      .string()
      .optional()
      .describe("People only: to be sent as `x-csrf-token` with every request that changes something"),
  })
  .meta({ id: "Me", description: "Who calls, without what it called with" });

const Organization = z
  .object({
    name: z.string().meta({ description: "The organization, as MCP clients see it", example: "Example" }),
    domain: z.string().meta({ description: "Machine users' addresses end in it", example: "example.com" }),
    help_contact: z.string().nullable().meta({
      description: "Whom people ask: an e-mail address or a web address; null: nobody is named",
      example: null,
    }),
  })
  .meta({ id: "Organization", description: "Whom this installation serves" });

const webAddress = (description: string, example: string) => z.string().meta({ description, format: "uri", example });

/** D22: what a tool with nothing but an address and a token asks first, and the admin app. */
export const getMe = read({
  id: "getMe",
  route: "GET /api/me",
  tag: "Me",
  summary: "Tell who the caller is and where things are",
  description: "What a program with nothing but an address and a token asks first.",
  scope: "any",
  answers: {
    200: z.object({
      data: Me,
      organization: Organization,
      gateway_url: webAddress("The gateway's address, without `/mcp`", "https://gateway.example.com"),
      base_url: webAddress("The address of this API and of the admin app", "https://gatehouse.example.com"),
      version: z.string().meta({ description: "The release that answers", example: "0.1.0" }),
    }),
  },
  refusals: [],
  onCrash: "Failed to retrieve the caller",
  async run({ db, actor, visitor, context }) {
    const data = visitor
      ? presentPerson(visitor, await signInMethodsOf(db, visitor.user.id))
      : presentToken(await findApiTokenById(db, actor.id));
    const { orgName, orgDomain, gatewayUrl, baseUrl, version } = context;
    const { help_contact } = await readSettings(db);
    const organization = { name: orgName, domain: orgDomain, help_contact };
    return { status: 200, body: { data, organization, gateway_url: gatewayUrl, base_url: baseUrl, version } };
  },
});

function presentToken(token: ApiTokenRow | undefined): z.input<typeof Me> {
  // Deleted since it was let in.
  if (!token) throw new Refusal("unauthenticated", "the token is gone");
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

function presentPerson({ user, session, csrfToken }: Visitor, methods: SignInMethod[]): z.input<typeof Me> {
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
    csrf_token: csrfToken,
  };
}
