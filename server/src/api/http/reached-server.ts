import { findServer } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/tables";
import type { ApiWorld } from "./world.ts";

/** A server that the user reaches at the gateway. One out of reach counts as one that does not exist. */
export async function reachedServer(
  { databases, snapshots }: Pick<ApiWorld, "databases" | "snapshots">,
  userId: string,
  slug: string,
): Promise<McpServerRow | undefined> {
  const caller = snapshots.current().usersById.get(userId);
  const [reached] = caller ? snapshots.viewFor(caller, { slug, prefixed: true }).servers : [];
  const server = reached && (await findServer(databases.main, slug));
  return server?.id === reached?.id ? server : undefined;
}
