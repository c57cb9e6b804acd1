import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp } from "#api/http/answers";
import { read } from "#api/http/operation";
import { Refusal } from "#lib/errors";
import { findApiTokenById } from "#records/api-tokens";

const Me = z
  .object({
    type: z.literal("api_token").meta({ description: "What the caller presented", example: "api_token" }),
    id: recordId("tok"),
    name: z.string().meta({ description: "What the token is for", example: "Nightly report" }),
    scopes: z.array(z.string()).meta({ description: "What the token allows", example: ["admin:read"] }),
    expires_at: timestamp("When the token stops working; null: never").nullable(),
    last_used_at: timestamp("When the token was last used, to within a minute").nullable(),
    created_at: createdAt,
  })
  .meta({ id: "Me", description: "Who calls, without what it called with" });

const Organization = z
  .object({
    name: z.string().meta({ description: "The organization, as MCP clients see it", example: "Example" }),
    domain: z.string().meta({ description: "Machine users' addresses end in it", example: "example.com" }),
  })
  .meta({ id: "Organization", description: "Whom this installation serves" });

const webAddress = (description: string, example: string) => z.string().meta({ description, format: "uri", example });

/** D22: what a tool with nothing but an address and a token asks first. */
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
  async run({ db, actor, world }) {
    const token = await findApiTokenById(db, actor.id);
    // Deleted since it was let in.
    if (!token) throw new Refusal("unauthenticated", "the token is gone");
    const data = {
      type: "api_token" as const,
      id: token.id,
      name: token.name,
      scopes: [...token.scopes],
      expires_at: token.expires_at === null ? null : isoTime(token.expires_at),
      last_used_at: token.last_used_at === null ? null : isoTime(token.last_used_at),
      created_at: isoTime(token.created_at),
    };
    const { orgName, orgDomain, gatewayUrl, baseUrl, version } = world;
    const organization = { name: orgName, domain: orgDomain };
    return { status: 200, body: { data, organization, gateway_url: gatewayUrl, base_url: baseUrl, version } };
  },
});
