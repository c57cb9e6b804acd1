import { recentCallsOf } from "#records/calls";
import { connectionCounts } from "#records/connections";
import { reachingUsers, serverLinks } from "#records/groups";
import { pendingItemCounts } from "#records/server-items";
import { pendingToolCounts } from "#records/server-tools";
import type { Databases, MainTransaction } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { ServerLinks } from "./schema.ts";

/** Data about these servers from other records. */
export async function linksOf(
  { main, calls }: Pick<Databases, "main" | "calls">,
  servers: readonly Pick<McpServerRow, "id" | "slug">[],
  now: number,
): Promise<ServerLinks> {
  const serverIds = servers.map(({ id }) => id);
  const slugs = servers.map(({ slug }) => slug);
  const [tools, items, groups, connections, users, recentCalls] = await Promise.all([
    pendingToolCounts(main, serverIds),
    pendingItemCounts(main, serverIds),
    serverLinks.groupNamesOf(main, serverIds),
    connectionCounts(main, serverIds),
    reachingUsers(main, serverIds),
    recentCallsOf(calls, slugs),
  ]);
  const changed = new Map(serverIds.map((id) => [id, (tools.get(id) ?? 0) + (items.get(id)?.pending ?? 0)]));
  const heldItems = new Map(serverIds.map((id) => [id, items.get(id)?.held ?? 0]));
  return { now, changed, heldItems, groups, connections, users, recentCalls };
}

/**
 * The same for a server that this transaction has created, which has no tools and no connections. One query after the other,
 * because a transaction has one connection.
 */
export async function linksOfNew(
  tx: MainTransaction,
  { calls }: Pick<Databases, "calls">,
  { id, slug, created_at: now }: Pick<McpServerRow, "id" | "slug" | "created_at">,
): Promise<ServerLinks> {
  const groups = await serverLinks.groupNamesOf(tx, [id]);
  const users = await reachingUsers(tx, [id]);
  // The call log refers to servers by slug, and a deleted server may have had this one.
  const recentCalls = await recentCallsOf(calls, [slug]);
  return { now, changed: new Map(), heldItems: new Map(), groups, connections: new Map(), users, recentCalls };
}
