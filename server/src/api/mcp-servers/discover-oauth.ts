import { z } from "zod";
import { action } from "#api/kit/operation";
import { flagParameter, pathParameter } from "#api/kit/parameters";
import { DiscoveryFailed, NO_CLIENT, type Prepared } from "#connect/connect";
import { notFound, Refusal } from "#lib/errors";
import { findServer, findServerById, needsSetup } from "#records/mcp-servers";

const Step = z
  .object({
    asked: z.string().meta({ description: "What was asked", example: "POST https://mcp.example.com/register" }),
    answered: z.string().meta({ description: "What came back", example: "HTTP 201, application/json" }),
    concluded: z.string().meta({ description: "What follows from it", example: "registered as 8c1f2e" }),
  })
  .meta({ id: "DiscoveryStep", description: "One step of a discovery" });
const steps = z.array(Step).describe("Every step, in order, so that the server can be mended from it");

const Discovered = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    needs_setup: z.boolean().describe("Whether something is still missing: see `advice`"),
    advice: z.string().nullable().describe("What an admin has to do before users can connect; null: nothing"),
    issuer: z.string().meta({ description: "The authorization server", example: "https://mcp.example.com" }),
    authUrl: z.string().describe("Where users sign in"),
    tokenUrl: z.string().describe("Where tokens come from"),
    registrationUrl: z.string().nullable().describe("Where the service registers itself; null: it cannot"),
    resource: z.string().describe("What tokens are asked for (RFC 8707)"),
    scopes: z.array(z.string()).describe("What the server wants asked for, where the settings name no scope"),
    client: z
      .enum(["settings", "document", "registered", "missing"])
      .describe("Where our client id comes from: the settings, our metadata document, a registration, or nowhere yet"),
    steps,
  })
  .meta({ id: "DiscoveredOAuth", description: "What discovery found" });

/** Spec 4.6, D21, D35: metadata and registration, step by step. */
export const discoverOAuth = action({
  id: "discoverOAuth",
  route: "POST /api/mcp-servers/{slug}/discover-oauth",
  tag: "MCP Servers",
  summary: "Discover an MCP server's OAuth settings",
  description:
    "Reads the server's OAuth metadata and registers the service there, unless that was done before. The same happens each time a user connects. What the server's `auth_settings` say wins over what is found.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  query: {
    register_again: flagParameter(
      "Whether to register the service anew, because the authorization server has forgotten it. Users whose sign-ins belong to the registration before must connect again once their tokens end",
    ),
  },
  answers: {
    200: z.object({ data: Discovered }),
    400: z
      .object({
        error: z.string().meta({
          description: "What is wrong",
          example: "OAuth Discovery Failed: redirect_uris: expected array, received undefined",
        }),
        steps,
      })
      .meta({ id: "DiscoveryFailure", description: "A discovery that failed, with its steps" }),
  },
  refusals: [400, 404],
  onCrash: "Failed to discover OAuth settings",
  async run({ db, path, query, context, actor, requestId }) {
    const server = await findServer(db, path.slug);
    if (!server) throw notFound.mcpServer();
    if (server.auth_type !== "proxy-oauth") {
      throw new Refusal("unknown-reference", "MCP server does not use proxy-oauth");
    }
    if (server.upstream_url === null) throw new Refusal("unknown-reference", "MCP server has no upstream yet");
    try {
      const prepared = await context.connect.discover(server, { actor, requestId }, query.register_again);
      const now = await findServerById(db, server.id);
      if (!now) throw notFound.mcpServer();
      return { status: 200, body: { data: present(now.slug, needsSetup(now), prepared) } };
    } catch (error) {
      if (!(error instanceof DiscoveryFailed)) throw error;
      const body = { error: `OAuth Discovery Failed: ${error.message}`, steps: [...error.steps] };
      return { status: 400, body };
    }
  },
});

function present(slug: string, incomplete: boolean, { found, client, steps }: Prepared): z.input<typeof Discovered> {
  return {
    slug,
    needs_setup: incomplete,
    advice: client ? null : NO_CLIENT,
    issuer: found.issuer,
    authUrl: found.authorizationEndpoint,
    tokenUrl: found.tokenEndpoint,
    registrationUrl: found.registrationEndpoint ?? null,
    resource: found.resource,
    scopes: [...found.scopes],
    client: !client
      ? "missing"
      : client.source === "settings" || client.source === "document"
        ? client.source
        : "registered",
    steps: [...steps],
  };
}
