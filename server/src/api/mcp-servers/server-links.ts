import { connectionCounts } from "#records/connections";
import { groupNamesOfServers } from "#records/groups";
import { pendingToolCounts } from "#records/server-tools";
import type { MainDb } from "#storage/database";
import type { ServerLinks } from "./schema.ts";

/** What other records say of these servers. */
export async function linksOf(db: MainDb, serverIds: readonly string[]): Promise<ServerLinks> {
  const [changed, groups, connections] = await Promise.all([
    pendingToolCounts(db, serverIds),
    groupNamesOfServers(db, serverIds),
    connectionCounts(db, serverIds),
  ]);
  return { changed, groups, connections };
}
