import { ACCEPTED, nextPin, type PinningServer } from "#records/server-tools";
import type { MainTransaction } from "#storage/database";
import type { ServerItemKind, ServerItemRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";

/** A prompt, resource, template, or the instructions as `sync` read and sanitized it. */
export type SyncedItem = Pick<ServerItemRow, "upstream_name" | "slug" | "definition" | "digest" | "unseen">;

const ROWS_PER_INSERT = 200;
/** The digest of empty instructions: SHA-256 of nothing. */
const NO_TEXT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Replaces the stored items of this kind with those that the upstream lists. Returns those that wait for review. */
export async function replaceItems(
  tx: MainTransaction,
  trail: WriteTrail,
  server: PinningServer,
  kind: ServerItemKind,
  items: readonly SyncedItem[],
): Promise<ServerItemRow[]> {
  const serverId = server.id;
  const present = await tx
    .selectFrom("server_items")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("kind", "=", kind)
    .orderBy("position")
    .execute();
  const known = new Map(present.map((row) => [row.upstream_name, row]));
  const rows = items.map((item, position) => {
    const before = known.get(item.upstream_name);
    return { ...item, ...nextDefinition(server, kind, before, item), server_id: serverId, kind, position };
  });
  const marked = rows.filter((row) => row.pin !== "accepted" && row.digest !== known.get(row.upstream_name)?.digest);
  if (textOf(present) === textOf(rows)) return marked;
  await tx.deleteFrom("server_items").where("server_id", "=", serverId).where("kind", "=", kind).execute();
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("server_items")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  trail.changed("server", serverId);
  return marked;
}

/** Like a tool: a rejected definition is ignored, and the item keeps the row that it has. */
function nextDefinition(
  server: PinningServer,
  kind: ServerItemKind,
  before: ServerItemRow | undefined,
  item: SyncedItem,
) {
  if (before && server.tools_synced_at !== null && before.rejected_digest === item.digest) {
    const { definition, digest, unseen, pin, held, pinned_definition, pinned_digest, rejected_digest } = before;
    return { definition, digest, unseen, pin, held, pinned_definition, pinned_digest, rejected_digest };
  }
  // Each sync stores an item for the instructions, so a missing one means that an earlier release synced the server.
  const isFirstText = kind === "instructions" && !before;
  if (isFirstText && (server.tool_policy !== "hold" || item.digest === NO_TEXT)) return ACCEPTED;
  return nextPin({ ...server, tool_policy: itemPolicy(server.tool_policy, kind) }, before, item.digest);
}

/** Resources are data that comes and goes, so a server that only warns would be flagged all the time. */
export function itemPolicy(policy: PinningServer["tool_policy"], kind: ServerItemKind): PinningServer["tool_policy"] {
  return kind === "resource" && policy === "warn" ? "allow" : policy;
}

/** After the upstream changed. */
export async function forgetItems(tx: MainTransaction, trail: WriteTrail, serverId: string): Promise<void> {
  await tx.deleteFrom("server_items").where("server_id", "=", serverId).execute();
  trail.changed("server", serverId);
}

function textOf(items: readonly ServerItemRow[]): string {
  return JSON.stringify(
    items.map((item) => [
      ...[item.upstream_name, item.slug, item.definition, item.digest],
      ...[item.pin, item.held, item.rejected_digest],
    ]),
  );
}
