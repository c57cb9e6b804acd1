import {
  ACCEPTED,
  type EvaluatedRow,
  type GuardVerdict,
  holdBlocked,
  isNewlyMarked,
  nextPin,
  type PinningServer,
  verdictOf,
} from "#records/server-tools";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { ServerItemKind, ServerItemRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";

/** A prompt, resource, template, or the instructions as `sync` read and sanitized it. */
export type SyncedItem = Pick<ServerItemRow, "upstream_name" | "slug" | "definition" | "digest" | "unseen"> &
  Partial<GuardVerdict>;

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
  const marked = rows.filter((row) => isNewlyMarked(row, known.get(row.upstream_name)));
  if (textOf(present) === textOf(rows)) {
    await storeGuardsKey(tx, serverId, kind, rows);
    return marked;
  }
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

/** Callers see no difference, so nothing is published. */
async function storeGuardsKey(
  tx: MainTransaction,
  serverId: string,
  kind: ServerItemKind,
  rows: readonly Pick<ServerItemRow, "upstream_name" | "guards_key">[],
): Promise<void> {
  for (const [key, evaluated] of Map.groupBy(rows, (row) => row.guards_key)) {
    const names = evaluated.map((row) => row.upstream_name);
    await tx
      .updateTable("server_items")
      .set({ guards_key: key })
      .where("server_id", "=", serverId)
      .where("kind", "=", kind)
      .where("upstream_name", "in", idList(tx, names))
      .where("guards_key", "is distinct from", key)
      .execute();
  }
}

/** The stored items of a kind, as far as guards need them, by name. */
export async function evaluatedItemsOf(
  db: MainDb,
  serverId: string,
  kind: ServerItemKind,
): Promise<ReadonlyMap<string, EvaluatedRow>> {
  const rows = await db
    .selectFrom("server_items")
    .select(["upstream_name", "digest", "pin", "pinned_digest", "reviewed_digest", "blocked_by", "guards_key"])
    .where("server_id", "=", serverId)
    .where("kind", "=", kind)
    .execute();
  return new Map(rows.map((row) => [row.upstream_name, row]));
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
    const { blocked_by, guards_key, reviewed_digest } = before;
    const kept = { definition, digest, unseen, pin, held, pinned_definition, pinned_digest, rejected_digest };
    return { ...kept, blocked_by, guards_key, reviewed_digest };
  }
  // Each sync stores an item for the instructions, so a missing one means that an earlier release synced the server.
  const isFirstText = kind === "instructions" && !before;
  const isAccepted = isFirstText && (server.tool_policy !== "hold" || item.digest === NO_TEXT);
  const policy = { ...server, tool_policy: itemPolicy(server.tool_policy, kind) };
  const pin = isAccepted ? ACCEPTED : nextPin(policy, before, item.digest);
  return holdBlocked(pin, server, before, item.digest, verdictOf(item));
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
      ...[item.pin, item.held, item.rejected_digest, item.blocked_by, item.reviewed_digest],
    ]),
  );
}
