import type { ApiContext } from "#api/kit/api-context";
import { notFound } from "#lib/errors";
import { findServer } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";

/**
 * A server that the user reaches at the gateway. One out of reach counts as one that does not exist. Who is in a
 * transaction gives that: with a second connection each, as many at once as the pool has places would wait for each other.
 */
export async function reachedServer(
  db: MainDb,
  { snapshots }: Pick<ApiContext, "snapshots">,
  userId: string,
  slug: string,
): Promise<McpServerRow | undefined> {
  const user = snapshots.current().usersById.get(userId);
  const [reached] = user ? snapshots.viewFor({ user }, { slug, prefixed: true }).servers : [];
  const server = reached && (await findServer(db, slug));
  return server?.id === reached?.id ? server : undefined;
}

export async function requireReachedServer(...asked: Parameters<typeof reachedServer>): Promise<McpServerRow> {
  const server = await reachedServer(...asked);
  if (!server) throw notFound.mcpServer();
  return server;
}
