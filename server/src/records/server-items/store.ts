import type { MainTransaction } from "#storage/database";
import type { ServerItemKind, ServerItemRow } from "#storage/server-tables";

/** A prompt, resource or template as the sync room read and sanitized it. */
export type SyncedItem = Pick<ServerItemRow, "upstream_name" | "slug" | "definition">;

const ROWS_PER_INSERT = 200;

/** What the upstream lists of this kind now is what there is. Answers whether anything changed. */
export async function replaceItems(
  tx: MainTransaction,
  serverId: string,
  kind: ServerItemKind,
  items: readonly SyncedItem[],
): Promise<boolean> {
  const present = await tx
    .selectFrom("server_items")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("kind", "=", kind)
    .orderBy("position")
    .execute();
  if (textOf(present) === textOf(items)) return false;
  await tx.deleteFrom("server_items").where("server_id", "=", serverId).where("kind", "=", kind).execute();
  const rows = items.map((item, position) => ({ ...item, server_id: serverId, kind, position }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("server_items")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  return true;
}

/** The upstream is another one now. */
export async function forgetItems(tx: MainTransaction, serverId: string): Promise<void> {
  await tx.deleteFrom("server_items").where("server_id", "=", serverId).execute();
}

function textOf(items: readonly SyncedItem[]): string {
  return JSON.stringify(items.map((item) => [item.upstream_name, item.slug, item.definition]));
}
