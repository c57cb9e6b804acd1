import { recentCallsOf } from "#records/calls";
import { connectionCounts } from "#records/connections";
import { reachingUsers, serverLinks } from "#records/groups";
import { pendingToolCounts } from "#records/server-tools";
import type { Databases } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { ServerLinks } from "./schema.ts";

/** What other records say of these servers. */
export async function linksOf(
  { main, calls }: Pick<Databases, "main" | "calls">,
  servers: readonly Pick<McpServerRow, "id" | "slug">[],
): Promise<ServerLinks> {
  const serverIds = servers.map(({ id }) => id);
  const slugs = servers.map(({ slug }) => slug);
  const [changed, groups, connections, users, recentCalls] = await Promise.all([
    pendingToolCounts(main, serverIds),
    serverLinks.groupNamesOf(main, serverIds),
    connectionCounts(main, serverIds),
    reachingUsers(main, serverIds),
    recentCallsOf(calls, slugs),
  ]);
  return { changed, groups, connections, users, recentCalls };
}
