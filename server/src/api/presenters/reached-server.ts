import type { ApiContext } from "#api/kit/api-context";
import { notFound } from "#lib/errors";
import { findServer } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";

/**
 * Returns a server that the user can access at the gateway; an inaccessible one counts as nonexistent. Inside a
 * transaction, pass that transaction: with a second connection per request, concurrent requests could exhaust the pool
 * and deadlock.
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

export async function requireReachedServer(...args: Parameters<typeof reachedServer>): Promise<McpServerRow> {
  const server = await reachedServer(...args);
  if (!server) throw notFound.mcpServer();
  return server;
}
