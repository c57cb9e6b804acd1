import { type SqlBool, sql } from "kysely";
import { ACCEPTED, isPending, NOT_BLOCKED } from "#records/server-tools";
import type { MainDb, MainTransaction } from "#storage/database";
import type { ServerItemKind, ServerItemRow, ToolPolicy } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";
import { itemPolicy } from "./store.ts";

export type PendingItem = Pick<
  ServerItemRow,
  | "kind"
  | "upstream_name"
  | "slug"
  | "definition"
  | "digest"
  | "pinned_definition"
  | "pinned_digest"
  | "unseen"
  | "held"
  | "blocked_by"
> & { readonly pin: "new" | "changed" };

const KINDS: readonly ServerItemKind[] = ["prompt", "resource", "resource_template", "instructions"];

/** Items that differ from their accepted definition (GW-17), by kind, each in the upstream's order. */
export async function pendingItems(
  db: MainDb,
  serverId: string,
  page?: { readonly offset: number; readonly limit: number },
): Promise<PendingItem[]> {
  const query = pending(db, serverId)
    .select(["kind", "upstream_name", "slug", "definition", "digest", "pinned_definition", "pinned_digest"])
    .select(["unseen", "held", "pin", "blocked_by"])
    .$narrowType<{ pin: "new" | "changed" }>()
    .orderBy("kind")
    .orderBy("position");
  return (page ? query.offset(page.offset).limit(page.limit) : query).execute();
}

export async function countPendingItems(db: MainDb, serverId: string): Promise<number> {
  const { n } = await pending(db, serverId)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

function pending(db: MainDb, serverId: string) {
  return db.selectFrom("server_items").where("server_id", "=", serverId).where(isPending);
}

/** By server: how many items wait for review, and how many of these are hidden. Servers without any are missing. */
export async function pendingItemCounts(
  db: MainDb,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly pending: number; readonly held: number }>> {
  if (serverIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("server_items")
    .select((select) => ["server_id", "held", select.fn.countAll<number>().as("n")])
    .where("server_id", "in", serverIds)
    .where(isPending)
    .groupBy(["server_id", "held"])
    .execute();
  const counts = new Map<string, { pending: number; held: number }>();
  for (const { server_id, held, n } of rows) {
    const { pending: before, held: heldBefore } = counts.get(server_id) ?? { pending: 0, held: 0 };
    counts.set(server_id, { pending: before + n, held: heldBefore + (held ? n : 0) });
  }
  return counts;
}

/** All items with the state of their review. */
export async function itemsOf(
  db: MainDb,
  serverId: string,
): Promise<Pick<ServerItemRow, "kind" | "upstream_name" | "slug" | "digest" | "pin">[]> {
  return db
    .selectFrom("server_items")
    .select(["kind", "upstream_name", "slug", "digest", "pin"])
    .where("server_id", "=", serverId)
    .orderBy("kind")
    .orderBy("position")
    .execute();
}

/** With their definitions, in the order of the server. */
export async function definedItemsOf(
  db: MainDb,
  serverId: string,
): Promise<Pick<ServerItemRow, "kind" | "upstream_name" | "definition" | "held">[]> {
  return db
    .selectFrom("server_items")
    .select(["kind", "upstream_name", "definition", "held"])
    .where("server_id", "=", serverId)
    .where("kind", "<>", "instructions")
    .orderBy("kind")
    .orderBy("position")
    .execute();
}

/** The text for models as callers receive it; empty if there is none. */
export async function instructionsOf(db: MainDb, serverId: string): Promise<string> {
  const row = await db
    .selectFrom("server_items")
    .select(["definition", "held", "pinned_definition"])
    .where("server_id", "=", serverId)
    .where("kind", "=", "instructions")
    .executeTakeFirst();
  const definition = row?.held ? row.pinned_definition : row?.definition;
  // Written by the sync.
  return definition ? (JSON.parse(definition) as { text: string }).text : "";
}

type ItemName = Pick<ServerItemRow, "kind" | "upstream_name">;

/** Accepts the current definitions of these items. Guards do not hold them again. */
export async function acceptItems(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  items: readonly (ItemName & Pick<ServerItemRow, "digest">)[],
): Promise<void> {
  for (const { kind, upstream_name, digest } of items) {
    const reviewed = { ...ACCEPTED, blocked_by: null, reviewed_digest: digest };
    await updateItem(tx, serverId, { kind, upstream_name }, reviewed);
  }
  if (items.length > 0) trail.changed("server", serverId);
}

/** An item with the accepted definition to return to; null for a new item, which stays hidden. */
export interface RejectedItem extends ItemName, Pick<ServerItemRow, "digest"> {
  readonly accepted: Pick<ServerItemRow, "definition" | "digest" | "unseen"> | null;
}

/** Rejects the current definitions of these items until the upstream lists other ones. */
export async function rejectItems(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  items: readonly RejectedItem[],
): Promise<void> {
  for (const { accepted, digest, ...item } of items) {
    const returned = accepted ? { ...ACCEPTED, ...NOT_BLOCKED, ...accepted } : { held: true };
    await updateItem(tx, serverId, item, { ...returned, rejected_digest: digest });
  }
  if (items.length > 0) trail.changed("server", serverId);
}

async function updateItem(
  tx: MainTransaction,
  serverId: string,
  { kind, upstream_name }: ItemName,
  changes: Partial<ServerItemRow>,
): Promise<void> {
  await tx
    .updateTable("server_items")
    .set(changes)
    .where("server_id", "=", serverId)
    .where("kind", "=", kind)
    .where("upstream_name", "=", upstream_name)
    .execute();
}

/** Like `applyToolPolicy`, for items that already wait for review. */
export async function applyItemPolicy(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  policy: ToolPolicy,
): Promise<void> {
  for (const kind of KINDS) {
    const applied = itemPolicy(policy, kind);
    await tx
      .updateTable("server_items")
      .set(applied === "allow" ? ACCEPTED : { held: applied === "hold" })
      .where("server_id", "=", serverId)
      .where("kind", "=", kind)
      .where(applied === "allow" ? sql<SqlBool>`(pin <> 'accepted' or rejected_digest is not null)` : isPending)
      .where("blocked_by", "is", null)
      .execute();
  }
  trail.changed("server", serverId);
}
