import { z } from "zod";
import { isoTime, pageOf, SkipPagination, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { listConnectionsOfServer } from "#records/connections";
import { findServer } from "#records/mcp-servers";

const ServerConnection = z
  .object({
    user_email: z.string().meta({ description: "Whose it is", example: "ada@example.com" }),
    kind: z.enum(["oauth", "api_key"]).describe("What the user gave: an OAuth sign-in, or a key"),
    status: z.enum(["connected", "reconnect_needed"]).describe("Whether the server still accepts it"),
    last_error: z.string().nullable().describe("Why the user must connect again; null: they need not"),
    scopes: z.array(z.string()).nullable().describe("What the user granted; null: not known"),
    needed_scopes: z.array(z.string()).nullable().describe("What the server asked for beyond that; null: nothing"),
    connected_at: timestamp("When the user connected"),
    expires_at: timestamp("When the credential ends unless it is renewed; null: not known").nullable(),
  })
  .meta({ id: "ServerConnection", description: "A user's connection to a server, without its secret" });

/** AZ-5: that somebody is connected is told, never what with. */
export const listMcpServerConnections = read({
  id: "listMcpServerConnections",
  route: "GET /api/mcp-servers/{slug}/connections",
  tag: "MCP Servers",
  summary: "List who is connected to an MCP server",
  description: "Oldest first. What users gave is shown to nobody.",
  scope: "admin:read",
  path: { slug: pathParameter("The server's slug", "github") },
  query: { skip: offsetParameter("How many entries to pass over"), limit: limitParameter },
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
