import { hash } from "node:crypto";
import { type SelectQueryBuilder, sql } from "kysely";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import type {
  DiscoveryInstanceRow,
  DiscoveryItemRow,
  DiscoveryKind,
  PolicyAction,
  ReviewStatus,
} from "#storage/discovery-tables";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { MainTables } from "#storage/tables";

/** Reports of the same minute do not write the item again. */
const SEEN_EVERY_MS = 60_000;

/** IDs are derived, so that a report finds its items without reading. */
export function itemId(kind: DiscoveryKind, key: string): string {
  return hash("sha256", `${kind}\n${key}`, "hex").slice(0, 40);
}

export const ITEM_SORTS = ["first_seen", "last_seen", "risk", "devices", "name"] as const;
export type ItemSort = (typeof ITEM_SORTS)[number];

export interface ItemFilter {
  readonly kind: DiscoveryKind;
  readonly search?: string | undefined;
  readonly action?: PolicyAction | undefined;
  readonly reviewStatus?: ReviewStatus | undefined;
  readonly client?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly transport?: string | undefined;
  readonly managed?: boolean | undefined;
  readonly minRisk?: number | undefined;
  readonly seenFirstSince?: number | undefined;
  readonly includeRemoved: boolean;
}

type ItemQuery<Row> = SelectQueryBuilder<MainTables, "discovery_items", Row>;

function filtered<Row>(db: MainDb, base: ItemQuery<Row>, filter: ItemFilter): ItemQuery<Row> {
  let query = base.where("kind", "=", filter.kind);
  if (!filter.includeRemoved) query = query.where("devices_count", ">", 0);
  if (filter.search !== undefined) query = query.where(contains("search_text", filter.search));
  if (filter.action !== undefined) query = query.where("action", "=", filter.action);
  if (filter.reviewStatus !== undefined) query = query.where("review_status", "=", filter.reviewStatus);
  if (filter.transport !== undefined) query = query.where("transport", "=", filter.transport);
  if (filter.managed !== undefined) query = query.where("managed", "=", filter.managed);
  if (filter.minRisk !== undefined) query = query.where("risk_score", ">=", filter.minRisk);
  if (filter.seenFirstSince !== undefined) query = query.where("first_seen", ">=", filter.seenFirstSince);
  const { client, deviceId } = filter;
  if (client !== undefined) {
    const withClient = db
      .selectFrom("discovery_item_counts")
      .select("item_id")
      .where("type", "=", "client")
      .where("value", "=", client)
      .where("count", ">", 0);
    query = query.where("id", "in", withClient);
  }
  if (deviceId !== undefined) {
    let onDevice = db.selectFrom("discovery_instances").select("item_id").where("device_id", "=", deviceId);
    if (!filter.includeRemoved) onDevice = onDevice.where("removed_at", "is", null);
    query = query.where("id", "in", onDevice);
  }
  return query;
}

/** Followed by the ID. Each index of discovery_items has the same order. */
const SORT_COLUMNS: Readonly<Record<ItemSort, readonly (keyof DiscoveryItemRow)[]>> = {
  first_seen: ["first_seen"],
  last_seen: ["last_seen"],
  risk: ["risk_score", "first_seen"],
  devices: ["devices_count", "first_seen"],
  name: ["search_text"],
};

export async function listItems(
  db: MainDb,
  filter: ItemFilter,
  page: { skip: number; limit: number; sort?: ItemSort | undefined; descending?: boolean | undefined },
): Promise<DiscoveryItemRow[]> {
  const order = page.descending ? "desc" : "asc";
  let query = filtered(db, db.selectFrom("discovery_items").selectAll(), filter);
  for (const column of [...SORT_COLUMNS[page.sort ?? "first_seen"], "id"] as const)
    query = query.orderBy(column, order);
  return query.offset(page.skip).limit(page.limit).execute();
}

/** The next items of a kind by id, for exports and evaluations of the whole inventory. */
export async function itemsAfter(
  db: MainDb,
  kind: DiscoveryKind,
  after: string,
  limit: number,
): Promise<DiscoveryItemRow[]> {
  return db
    .selectFrom("discovery_items")
    .selectAll()
    .where("kind", "=", kind)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function findItem(db: MainDb, kind: DiscoveryKind, key: string): Promise<DiscoveryItemRow | undefined> {
  return db.selectFrom("discovery_items").selectAll().where("id", "=", itemId(kind, key)).executeTakeFirst();
}

export async function lockItem(
  tx: MainTransaction,
  kind: DiscoveryKind,
  key: string,
): Promise<DiscoveryItemRow | undefined> {
  const query = tx.selectFrom("discovery_items").selectAll().where("id", "=", itemId(kind, key));
  return lockRows(tx, query).executeTakeFirst();
}

export async function findItems(db: MainDb, ids: readonly string[]): Promise<Map<string, DiscoveryItemRow>> {
  if (ids.length === 0) return new Map();
  const isOne = sql<boolean>`id in ${idList(db, ids)}`;
  const rows = await db.selectFrom("discovery_items").selectAll().where(isOne).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What decisions about an item depend on. */
export type JudgedItem = Pick<DiscoveryItemRow, "id" | "kind" | "key" | "endpoint_key" | "managed" | "review_status">;

/** Like `findItems`, without the facts, because a batch of reports has hundreds of items. */
export async function findJudgedItems(db: MainDb, ids: readonly string[]): Promise<Map<string, JudgedItem>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("discovery_items")
    .select(["id", "kind", "key", "endpoint_key", "managed", "review_status"])
    .where(sql<boolean>`id in ${idList(db, ids)}`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function updateItem(
  tx: MainTransaction,
  id: string,
  changes: Partial<Omit<DiscoveryItemRow, "id" | "kind" | "key">>,
): Promise<void> {
  await tx.updateTable("discovery_items").set(changes).where("id", "=", id).execute();
}

/** At most once a minute for each item, because popular items are in almost every report. */
export async function markItemsSeen(tx: MainTransaction, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const due = tx
    .selectFrom("discovery_items")
    .select("id")
    .where(sql<boolean>`id in ${idList(tx, ids)}`)
    .where("last_seen", "<=", now - SEEN_EVERY_MS)
    .orderBy("id");
  const rows = await lockRows(tx, due).execute();
  if (rows.length === 0) return;
  const isDue = sql<boolean>`id in ${idList(
    tx,
    rows.map(({ id }) => id),
  )}`;
  await tx.updateTable("discovery_items").set({ last_seen: now }).where(isDue).execute();
}

/** Clients that have each item now, most instances first. */
export async function clientsOfItems(db: MainDb, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("discovery_item_counts")
    .select(["item_id", "value"])
    .where(sql<boolean>`item_id in ${idList(db, ids)}`)
    .where("type", "=", "client")
    .where("count", ">", 0)
    .orderBy("count", "desc")
    .orderBy("value")
    .execute();
  const clients = Map.groupBy(rows, ({ item_id }) => item_id);
  return new Map([...clients].map(([id, of]) => [id, of.map(({ value }) => value)]));
}

export interface InstancePage {
  readonly skip: number;
  readonly limit: number;
  readonly includeRemoved: boolean;
}

/** Present instances first, oldest first. */
export async function instancesOfItem(
  db: MainDb,
  itemId: string,
  { skip, limit, includeRemoved }: InstancePage,
): Promise<DiscoveryInstanceRow[]> {
  let query = db.selectFrom("discovery_instances").selectAll().where("item_id", "=", itemId);
  if (!includeRemoved) query = query.where("removed_at", "is", null);
  return query
    .orderBy(sql`case when removed_at is null then 0 else 1 end`)
    .orderBy("first_seen")
    .orderBy("id")
    .offset(skip)
    .limit(limit)
    .execute();
}

export async function instancesOfDevice(db: MainDb, deviceId: string, limit: number): Promise<DiscoveryInstanceRow[]> {
  return db
    .selectFrom("discovery_instances")
    .selectAll()
    .where("device_id", "=", deviceId)
    .where("removed_at", "is", null)
    .orderBy("kind")
    .orderBy("client")
    .orderBy("name")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export type DecidedRow = Pick<
  DiscoveryInstanceRow,
  "device_id" | "item_id" | "kind" | "name" | "client" | "action" | "rule_id" | "last_seen"
> & { readonly key: string };

/** Present instances of these devices with the keys of their items, and without anything long. */
export async function decidedInstances(db: MainDb, deviceIds: readonly string[]): Promise<DecidedRow[]> {
  return db
    .selectFrom("discovery_instances as instance")
    .innerJoin("discovery_items as item", "item.id", "instance.item_id")
    .select(["instance.device_id", "instance.item_id", "instance.kind", "instance.name", "instance.client"])
    .select(["instance.action", "instance.rule_id", "instance.last_seen", "item.key"])
    .where(sql<boolean>`instance.device_id in ${idList(db, deviceIds)}`)
    .where("instance.removed_at", "is", null)
    .orderBy("instance.id")
    .execute();
}

export async function findInstances(db: MainDb, ids: readonly string[]): Promise<Map<string, DiscoveryInstanceRow>> {
  if (ids.length === 0) return new Map();
  const isOne = sql<boolean>`id in ${idList(db, ids)}`;
  const rows = await db.selectFrom("discovery_instances").selectAll().where(isOne).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

const MOST_PER_RULE = 20_000;

/** Present MCP servers that each of these rules decided about. */
export async function instancesOfRules(
  db: MainDb,
  ruleIds: readonly string[],
): Promise<Map<string, Pick<DiscoveryInstanceRow, "details">[]>> {
  const found = new Map<string, Pick<DiscoveryInstanceRow, "details">[]>();
  for (const ruleId of ruleIds) {
    const items = db
      .selectFrom("discovery_items")
      .select("id")
      .where("kind", "=", "mcp_server")
      .where("rule_id", "=", ruleId)
      .where("devices_count", ">", 0);
    const rows = await db
      .selectFrom("discovery_instances")
      .select("details")
      .where("item_id", "in", items)
      .where("rule_id", "=", ruleId)
      .where("removed_at", "is", null)
      .limit(MOST_PER_RULE)
      .execute();
    found.set(ruleId, rows);
  }
  return found;
}

/** Of these names, those of present MCP servers in a client that the policy does not block. */
export async function allowedServerNames(
  db: MainDb,
  client: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom("discovery_instances")
    .select("name")
    .distinct()
    .where("kind", "=", "mcp_server")
    .where("client", "=", client)
    .where("removed_at", "is", null)
    .where("action", "!=", "block")
    .where(sql<boolean>`name in ${idList(db, names)}`)
    .execute();
  return new Set(rows.map(({ name }) => name));
}
