import { z } from "zod";
import { CursorPagination, isoTime, timestamp } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { lastUseOfServers } from "#records/calls";
import { listConnectionsOfUser } from "#records/connections";
import { findServersBySlug } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";
import { serverLogoUrl } from "./logo-url.ts";
import { presentConnection, UserConnection } from "./user-connection.ts";

const webAddress = (description: string, example: string) => z.string().meta({ description, format: "uri", example });

const UserMcpServer = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    name: z.string().meta({ description: "What people call it", example: "GitHub" }),
    description: z.string().meta({ description: "What it is for; may be empty", example: "Issues and pull requests" }),
    logo_url: webAddress("A logo, served by us", "https://gatehouse.example.com/logos/letters/g.svg"),
    auth_type: z
      .enum(["none", "proxy-oauth", "proxy-api-key"])
      .describe("What the server asks of each user: nothing, an OAuth sign-in, or a key of their own"),
    how_to: z
      .string()
      .nullable()
      .describe("How to get a key, in Markdown as an admin wrote it: to be shown with everything but text made inert"),
    connect_url: webAddress(
      "The page at which the user connects, once signed in",
      "https://gatehouse.example.com/connect/github",
    ),
    tools_count: z.int().meta({ description: "How many of its tools are enabled", example: 24 }),
    last_used_at: timestamp("When the user last called it, as far as their last 2,000 calls reach").nullable(),
    connection: UserConnection,
  })
  .meta({ id: "UserMcpServer", description: "A server that a user reaches, and how they stand with it" });

export const UserMcpServers = z.object({ data: z.array(UserMcpServer), pagination: CursorPagination });

/** Servers by slug. A user who is not in the snapshot yet has access to none. */
export async function listServersOf(
  db: MainDb,
  context: Pick<ApiContext, "snapshots" | "vault" | "baseUrl" | "databases">,
  user: UserRow,
  { cursor, limit }: { readonly cursor: number; readonly limit: number },
): Promise<z.input<typeof UserMcpServers>> {
  const entry = context.snapshots.current().usersById.get(user.id);
  const servers = entry ? context.snapshots.viewFor({ user: entry }).servers : [];
  const page = servers.slice(cursor, cursor + limit);
  const slugs = page.map(({ slug }) => slug);
  const rows = new Map((await findServersBySlug(db, slugs)).map((row) => [row.id, row]));
  const connections = new Map((await listConnectionsOfUser(db, user.id)).map((row) => [row.server_id, row]));
  const used = await lastUseOfServers(context.databases.calls, user.email);
  const data = page.flatMap(({ id, tools }) => {
    const row = rows.get(id);
    if (!row) return [];
    const connection = presentConnection({ user, server: row, connection: connections.get(id) }, context.vault);
    const lastUsed = used.get(row.slug);
    const last_used_at = lastUsed === undefined ? null : isoTime(lastUsed);
    return [{ ...presentServer(row, context.baseUrl), tools_count: tools.items.length, last_used_at, connection }];
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
