import type { MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { CallLimitColumns } from "#storage/limit-tables";
import type { WriteTrail } from "#storage/transaction";

export interface ToolLimits extends CallLimitColumns {
  /** The server's name of the tool. */
  readonly tool_name: string;
}

const ROWS_PER_INSERT = 200;

/** Replaces the limits of these tools, each listed once. The caller must hold the server's lock. */
export async function setToolLimits(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  limits: readonly ToolLimits[],
): Promise<void> {
  const names = limits.map((tool) => tool.tool_name);
  await tx
    .deleteFrom("tool_limits")
    .where("server_id", "=", serverId)
    .where("tool_name", "in", idList(tx, names))
    .execute();
  const rows = limits
    .filter((tool) => tool.calls_per_minute !== null || tool.concurrent_calls !== null)
    .map((tool) => ({ server_id: serverId, ...tool }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("tool_limits")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  trail.changed("server", serverId);
}
