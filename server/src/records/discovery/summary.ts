import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { DISCOVERY_KINDS, type DiscoveryKind, type PolicyAction, type ReviewStatus } from "#storage/discovery-tables";

export interface ItemGroup {
  readonly kind: DiscoveryKind;
  readonly action: PolicyAction | null;
  readonly managed: boolean;
  readonly risk: number;
  readonly review: ReviewStatus;
  readonly items: number;
  readonly instances: number;
}

/** Present items, grouped by everything that the summary counts. */
export async function groupItems(db: MainDb): Promise<ItemGroup[]> {
  const rows = await db
    .selectFrom("discovery_items")
    .select((select) => [
      "kind",
      "action",
      "managed",
      "risk_score",
      "review_status",
      select.fn.countAll<number>().as("items"),
      select.fn.sum<number>("devices_count").as("devices"),
    ])
    .where("devices_count", ">", 0)
    .groupBy(["kind", "action", "managed", "risk_score", "review_status"])
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    action: row.action,
    managed: row.managed,
    risk: row.risk_score,
    review: row.review_status,
    items: Number(row.items),
    instances: Number(row.devices),
  }));
}

/** Instances by client, most first. */
export async function topClients(db: MainDb, limit: number): Promise<{ client: string; count: number }[]> {
  const rows = await db
    .selectFrom("discovery_item_counts")
    .select((select) => ["value", select.fn.sum<number>("count").as("n")])
    .where("type", "=", "client")
    .where("count", ">", 0)
    .groupBy("value")
    .execute();
  const clients = rows.map(({ value, n }) => ({ client: value, count: Number(n) }));
  return clients.sort((a, b) => b.count - a.count || (a.client < b.client ? -1 : 1)).slice(0, limit);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Present items by kind and by the day on which they were first seen. Days count from 1970. */
export async function countNewItems(
  db: MainDb,
  sinceDay: number,
): Promise<{ kind: DiscoveryKind; day: number; items: number }[]> {
  const day = sql<number>`first_seen / ${sql.lit(DAY_MS)}`;
  const rows = await db
    .selectFrom("discovery_items")
    .select((select) => ["kind", day.as("day"), select.fn.countAll<number>().as("items")])
    .where("kind", "in", DISCOVERY_KINDS)
    .where("first_seen", ">=", sinceDay * DAY_MS)
    .where("devices_count", ">", 0)
    .groupBy(["kind", day])
    .execute();
  return rows.map((row) => ({ kind: row.kind, day: Number(row.day), items: Number(row.items) }));
}
