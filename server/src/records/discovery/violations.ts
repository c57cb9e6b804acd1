import type { MainDb, MainTransaction } from "#storage/database";
import type { DiscoveryKind, DiscoveryViolationRow, PolicyAction } from "#storage/discovery-tables";

export interface ViolationFilter {
  readonly status?: "open" | "resolved" | undefined;
  readonly action?: PolicyAction | undefined;
  readonly kind?: DiscoveryKind | undefined;
  readonly deviceId?: string | undefined;
  readonly itemId?: string | undefined;
}

/** Newest first. */
export async function listViolations(
  db: MainDb,
  { status, action, kind, deviceId, itemId }: ViolationFilter,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<DiscoveryViolationRow[]> {
  let query = db.selectFrom("discovery_violations").selectAll();
  if (status === "open") query = query.where("resolved_at", "is", null);
  if (status === "resolved") query = query.where("resolved_at", "is not", null);
  if (action !== undefined) query = query.where("action", "=", action);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (deviceId !== undefined) query = query.where("device_id", "=", deviceId);
  if (itemId !== undefined) {
    const ofItem = db.selectFrom("discovery_instances").select("id").where("item_id", "=", itemId);
    query = query.where("instance_id", "in", ofItem);
  }
  return query.orderBy("opened_at", "desc").orderBy("id", "desc").offset(skip).limit(limit).execute();
}

/** Open violations by action. Each present instance with such an action has one. */
export async function countOpenViolations(db: MainDb): Promise<{ warn: number; block: number }> {
  const rows = await db
    .selectFrom("discovery_item_counts")
    .select((select) => ["value", select.fn.sum<number>("count").as("n")])
    .where("type", "=", "action")
    .groupBy("value")
    .execute();
  const of = (rank: string) =>
    rows.reduce((sum, { value, n }) => (value.charAt(0) === rank ? sum + Number(n) : sum), 0);
  return { warn: of("2"), block: of("3") };
}

/** Stores what a device did about the newest violation of one of these items. */
export async function noteEnforcement(
  tx: MainTransaction,
  deviceId: string,
  itemIds: readonly string[],
  enforcement: string,
): Promise<void> {
  const newest = tx
    .selectFrom("discovery_violations")
    .select("id")
    .where("device_id", "=", deviceId)
    .where("item_id", "in", itemIds)
    .orderBy("opened_at", "desc")
    .orderBy("id", "desc")
    .limit(1);
  await tx.updateTable("discovery_violations").set({ enforcement }).where("id", "in", newest).execute();
}
