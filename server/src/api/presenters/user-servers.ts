import { z } from "zod";
import { CursorPagination, isoTime, timestamp } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { estimateTokens } from "#gateway/snapshot/tool-tokens";
import { lastUseOfServers } from "#records/calls";
import { listConnectionsOfUser } from "#records/connections";
import { findServersBySlug } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import { AUTH_TYPES, type McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";
import { serverLogoUrl } from "./logo-url.ts";
import { tokensEstimate } from "./tool-tokens.ts";
import { presentConnection, UserConnection } from "./user-connection.ts";

const webUrl = (description: string, example: string) => z.string().meta({ description, format: "uri", example });

const UserMcpServer = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    name: z.string().meta({ description: "Display name", example: "GitHub" }),
    description: z
      .string()
      .meta({ description: "Purpose of the server; can be empty", example: "Issues and pull requests" }),
    logo_url: webUrl("URL of a logo on this service", "https://gatehouse.example.com/logos/letters/g.svg"),
    auth_type: z
      .enum(AUTH_TYPES)
      .describe("Authentication that the server requires of each user: none, OAuth, or an API key"),
    how_to: z
      .string()
      .nullable()
      .describe("How to get an API key, in Markdown written by an admin; render it with active content removed"),
    connect_url: webUrl("The page where the signed-in user connects", "https://gatehouse.example.com/connect/github"),
    tools_count: z.int().meta({ description: "Number of enabled tools", example: 24 }),
    tokens_estimate: tokensEstimate("these tools"),
    last_used_at: timestamp("When the user last called the server, within their last 2,000 calls").nullable(),
    connection: UserConnection,
  })
  .meta({ id: "UserMcpServer", description: "A server that a user can access, and the user's connection to it" });

export const UserMcpServers = z.object({ data: z.array(UserMcpServer), pagination: CursorPagination });

/** Servers by slug. A user who is not in the snapshot yet has access to none. */
export async function listServersOf(
  db: MainDb,
  context: Pick<ApiContext, "snapshots" | "vault" | "baseUrl" | "databases">,
  user: UserRow,
  { cursor, limit }: { readonly cursor: number; readonly limit: number },
): Promise<z.input<typeof UserMcpServers>> {
  const entry = context.snapshots.current().usersById.get(user.id);
  const view = entry && context.snapshots.viewFor({ user: entry });
  const servers = view?.servers ?? [];
  const page = servers.slice(cursor, cursor + limit);
  const slugs = page.map(({ slug }) => slug);
  const rows = new Map((await findServersBySlug(db, slugs)).map((row) => [row.id, row]));
  const connections = new Map((await listConnectionsOfUser(db, user.id)).map((row) => [row.server_id, row]));
  const used = await lastUseOfServers(context.databases.calls, user.email);
  const data = page.flatMap((server) => {
    const { id } = server;
    const row = rows.get(id);
    if (!row || !view) return [];
    const connection = presentConnection({ user, server: row, connection: connections.get(id) }, context.vault);
    const tools = view.named(server, "tools");
    const lastUsed = used.get(row.slug);
    const last_used_at = lastUsed === undefined ? null : isoTime(lastUsed);
    return [
      {
        ...presentServer(row, context.baseUrl),
        tools_count: tools.items.length,
        tokens_estimate: estimateTokens(tools.fragment.length),
        last_used_at,
        connection,
      },
    ];
  });
  const hasMore = cursor + limit < servers.length;
  return { data, pagination: { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null } };
}

function presentServer(server: McpServerRow, baseUrl: string) {
  const { slug, name, description, auth_type } = server;
  const how_to = auth_type === "proxy-api-key" ? (server.auth_settings.howtoMarkdown ?? null) : null;
  const connect_url = `${baseUrl}/connect/${slug}`;
  return { slug, name, description, auth_type, how_to, connect_url, logo_url: serverLogoUrl(server, baseUrl) };
}
