import { sql } from "kysely";
import type { MainDb, MainTransaction } from "#storage/database";
import { type ApplyContext, applyInstances } from "./apply-instances.ts";
import { deleteDevice, instancesOfDevices, lockDevice } from "./devices.ts";

/** Devices that did not report since then, oldest first. */
export async function devicesUnseenSince(db: MainDb, before: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("discovery_devices")
    .select("id")
    .where("last_seen", "<", before)
    .orderBy("last_seen")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a device with its instances. With `before`, only if it has not reported since then. */
export async function forgetDevice(
  tx: MainTransaction,
  id: string,
  context: ApplyContext,
  unseenSince = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const device = await lockDevice(tx, id);
  if (!device || device.last_seen >= unseenSince) return false;
  await applyInstances(tx, { before: await instancesOfDevices(tx, [id]), after: [] }, context);
  await deleteDevice(tx, id);
  return true;
}

/** Deletes instances that were removed before, with their violations. Returns whether there may be more. */
export async function deleteRemovedBefore(db: MainDb, before: number, limit: number): Promise<boolean> {
  const old = db
    .selectFrom("discovery_instances")
    .select("id")
    .where("removed_at", "<", before)
    .orderBy("removed_at")
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("discovery_instances").where("id", "in", old).executeTakeFirst();
  return Number(numDeletedRows) === limit;
}

export async function deleteViolationsResolvedBefore(db: MainDb, before: number, limit: number): Promise<boolean> {
  const old = db
    .selectFrom("discovery_violations")
    .select("id")
    .where("resolved_at", "<", before)
    .orderBy("resolved_at")
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("discovery_violations").where("id", "in", old).executeTakeFirst();
  return Number(numDeletedRows) === limit;
}

/** Deletes items that no device has had since then. Reviewed ones stay, because the review would be lost. */
export async function deleteItemsUnseenSince(db: MainDb, before: number, limit: number): Promise<boolean> {
  const old = db
    .selectFrom("discovery_items")
    .select("id")
    .where("last_seen", "<", before)
    .where("devices_count", "=", 0)
    .where("review_status", "=", "unreviewed")
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("discovery_instances")
            .select(sql`1`.as("one"))
            .whereRef("discovery_instances.item_id", "=", "discovery_items.id"),
        ),
      ),
    )
    .orderBy("last_seen")
    .orderBy("id")
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("discovery_items").where("id", "in", old).executeTakeFirst();
  return Number(numDeletedRows) === limit;
}
