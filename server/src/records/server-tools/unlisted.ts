import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { WriteTrail } from "#storage/transaction";
import type { ToolLimits } from "./limits.ts";

const ROWS_PER_INSERT = 200;

/** What is stored of a tool that the upstream has never listed. The digest is that of no definition. */
const UNLISTED = {
  description: "",
  definition: "{}",
  position: 0,
  enabled: false,
  listed: false,
  pin: "new",
  digest: "unlisted",
} as const;

/**
 * Disables tools that the upstream does not list, so that the sync that finds them does not enable them. Only the sync
 * knows their slugs: until then, each has one that no tool can have.
 */
export async function disableUnlistedTools(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  names: readonly string[],
  now: number,
): Promise<void> {
  const present = await tx
    .selectFrom("server_tools")
    .select("upstream_name")
    .where("server_id", "=", serverId)
    .where("upstream_name", "in", idList(tx, names))
    .execute();
  const stored = new Set(present.map((row) => row.upstream_name));
  const rows = names
    .filter((name) => !stored.has(name))
    .map((name) => ({
      ...UNLISTED,
      ...{ server_id: serverId, upstream_name: name, title: name, slug: `unlisted:${name}` },
      ...{ created_at: now, updated_at: now },
    }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("server_tools")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  trail.changed("server", serverId);
}

/** Tools that the upstream does not list are stored only while they are disabled. */
export async function forgetUnlistedTools(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  names: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom("server_tools")
    .where("server_id", "=", serverId)
    .where("listed", "=", false)
    .where("upstream_name", "in", idList(tx, names))
    .execute();
  trail.changed("server", serverId);
}

/** By their names at the server, also those that it does not list. */
export async function disabledToolsOf(db: MainDb, serverId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("server_tools")
    .select("upstream_name")
    .where("server_id", "=", serverId)
    .where("enabled", "=", false)
    .execute();
  return rows.map((row) => row.upstream_name).sort();
}

/** By their names at the server, also those that it does not list. */
export function toolLimitsOf(db: MainDb, serverId: string): Promise<ToolLimits[]> {
  return db
    .selectFrom("tool_limits")
    .select(["tool_name", "calls_per_minute", "concurrent_calls"])
    .where("server_id", "=", serverId)
    .orderBy("tool_name")
    .execute();
}
