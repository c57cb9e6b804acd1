import type { MainTransaction } from "#storage/database";
import type { ServerItemKind, ServerItemRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";

/** A prompt, resource or template as `sync` read and sanitized it. */
export type SyncedItem = Pick<ServerItemRow, "upstream_name" | "slug" | "definition">;

const ROWS_PER_INSERT = 200;

/** Replaces the stored items of this kind with those that the upstream lists. */
export async function replaceItems(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  kind: ServerItemKind,
  items: readonly SyncedItem[],
): Promise<void> {
  const present = await tx
    .selectFrom("server_items")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("kind", "=", kind)
    .orderBy("position")
    .execute();
  if (textOf(present) === textOf(items)) return;
  await tx.deleteFrom("server_items").where("server_id", "=", serverId).where("kind", "=", kind).execute();
  const rows = items.map((item, position) => ({ ...item, server_id: serverId, kind, position }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("server_items")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  trail.changed("server", serverId);
}

/** After the upstream changed. */
export async function forgetItems(tx: MainTransaction, trail: WriteTrail, serverId: string): Promise<void> {
  await tx.deleteFrom("server_items").where("server_id", "=", serverId).execute();
  trail.changed("server", serverId);
}

function textOf(items: readonly SyncedItem[]): string {
  return JSON.stringify(items.map((item) => [item.upstream_name, item.slug, item.definition]));
}
