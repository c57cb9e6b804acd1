import { z } from "zod";
import { isoTime, pageOf, SkipPagination, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { listConnectionsOfServer } from "#records/connections";
import { findServer } from "#records/mcp-servers";

const ServerConnection = z
  .object({
    user_email: z.string().meta({ description: "Email of the user", example: "ada@example.com" }),
    kind: z.enum(["oauth", "api_key"]).describe("Type of the credential"),
    status: z
      .enum(["connected", "reconnect_needed"])
      .describe("`reconnect_needed` if the server no longer accepts the credential"),
    last_error: z.string().nullable().describe("Why the user must reconnect; null if connected"),
    scopes: z.array(z.string()).nullable().describe("Granted scopes; null if unknown"),
    needed_scopes: z.array(z.string()).nullable().describe("Additional scopes that the server requires; null if none"),
    connected_at: timestamp("When the user connected"),
    expires_at: timestamp("When the credential expires unless it is refreshed; null if unknown").nullable(),
  })
  .meta({ id: "ServerConnection", description: "A user's connection to a server" });

/** AZ-5: never returns credentials. */
export const listMcpServerConnections = read({
  id: "listMcpServerConnections",
  route: "GET /api/mcp-servers/{slug}/connections",
  tag: "MCP Servers",
  summary: "List connections of an MCP server",
  description: "Oldest first. Credentials are never returned.",
  scope: "admin:read",
  path: { slug: pathParameter("The server's slug", "github") },
  query: { skip: offsetParameter("Number of entries to skip"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(ServerConnection), pagination: SkipPagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve connections",
  async run({ db, path, query: { skip, limit } }) {
    const server = await findServer(db, path.slug);
    if (!server) throw notFound.mcpServer();
    const rows = await listConnectionsOfServer(db, server.id, { skip, limit: limit + 1 });
    const { page, hasMore } = pageOf(rows, limit);
    const data = page.map(
      ({ user_email, kind, state, last_error, scopes, needed_scopes, connected_at, expires_at }) => ({
        user_email,
        kind,
        status: state,
        last_error,
        scopes,
        needed_scopes,
        connected_at: isoTime(connected_at),
        expires_at: expires_at === null ? null : isoTime(expires_at),
      }),
    );
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});
