import { z } from "zod";
import { action } from "#api/kit/operation";
import { flagParameter, pathParameter } from "#api/kit/parameters";
import { DiscoveryFailed, NO_CLIENT, type Prepared } from "#connect/connect";
import { notFound, Refusal } from "#lib/errors";
import { findServer, findServerById, needsSetup } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/server-tables";
import { OAuthChangeAnswer, presentChange } from "./oauth-settings.ts";

const Step = z
  .object({
    asked: z.string().meta({ description: "The request", example: "POST https://mcp.example.com/register" }),
    answered: z.string().meta({ description: "The response", example: "HTTP 201, application/json" }),
    concluded: z.string().meta({ description: "The conclusion", example: "registered as 8c1f2e" }),
  })
  .meta({ id: "DiscoveryStep", description: "One step of a discovery" });
const steps = z.array(Step).describe("All steps in order, for troubleshooting");

const Discovered = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    needs_setup: z.boolean().describe("Whether setup is incomplete; see `advice`"),
    advice: z.string().nullable().describe("What an admin must do before users can connect; null if nothing"),
    issuer: z.string().meta({ description: "The authorization server", example: "https://mcp.example.com" }),
    authUrl: z.string().describe("Authorization endpoint"),
    tokenUrl: z.string().describe("Token endpoint"),
    registrationUrl: z.string().nullable().describe("Registration endpoint; null if the server has none"),
    resource: z.string().describe("Resource indicator of token requests (RFC 8707)"),
    scopes: z.array(z.string()).describe("Scopes that the server requests, used if the settings specify none"),
    client: z
      .enum(["settings", "document", "registered", "missing"])
      .describe("Source of the client ID: the settings, the client ID metadata document, a registration, or missing"),
    oauth_change: OAuthChangeAnswer.nullable().describe(
      "OAuth settings that the server names now; null if they are the same. They are not used until an admin approves them (`approveOAuthChange`)",
    ),
    shared_with: z
      .array(z.string())
      .describe(
        "Slugs of other servers whose users get their tokens at the same place. If it ignores `resource`, a token for one of them is valid at the others",
      ),
    steps,
  })
  .meta({ id: "DiscoveredOAuth", description: "Result of a discovery" });

/** Spec 4.6, D21, D35. */
export const discoverOAuth = action({
  id: "discoverOAuth",
  route: "POST /api/mcp-servers/{slug}/discover-oauth",
  tag: "MCP Servers",
  summary: "Discover an MCP server's OAuth settings",
  description:
    "Reads the server's OAuth metadata and registers a client unless one exists. The same happens each time a user connects. Values in `auth_settings` override discovered values. The issuer and the resource are pinned: if the server names others later, they are reported in `oauth_change` and not used.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  query: {
    register_again: flagParameter(
      "Whether to register a new client, for example because the authorization server deleted the old one. Users must reconnect when their current tokens expire",
    ),
  },
  answers: {
    200: z.object({ data: Discovered }),
    400: z
      .object({
        error: z.string().meta({
          description: "Error message",
          example: "OAuth Discovery Failed: redirect_uris: expected array, received undefined",
        }),
        steps,
      })
      .meta({ id: "DiscoveryFailure", description: "A failed discovery and its steps" }),
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
      return { status: 200, body: { data: present(now, prepared) } };
    } catch (error) {
      if (!(error instanceof DiscoveryFailed)) throw error;
      const body = { error: `OAuth Discovery Failed: ${error.message}`, steps: [...error.steps] };
      return { status: 400, body };
    }
  },
});

function present(server: McpServerRow, { found, client, sharedWith, steps }: Prepared): z.input<typeof Discovered> {
  return {
    slug: server.slug,
    needs_setup: needsSetup(server),
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
    oauth_change: presentChange(server.oauth_change),
    shared_with: [...sharedWith],
    steps: [...steps],
  };
}
