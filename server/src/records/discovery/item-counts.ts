import { PostgresAdapter, sql } from "kysely";
import { fold } from "#lib/fold";
import { type BulkColumn, type ChangedColumn, insertRows, updateRows } from "#storage/bulk-insert";
import type { MainTransaction } from "#storage/database";
import type { CountType, DiscoveryInstanceRow, DiscoveryItemRow, PolicyAction } from "#storage/discovery-tables";
import { idList } from "#storage/id-list";
import { jsonRows } from "#storage/json-rows";

const RANKS: Readonly<Record<PolicyAction, number>> = { allow: 1, warn: 2, block: 3 };
const ACTIONS: Readonly<Record<string, PolicyAction>> = { "1": "allow", "2": "warn", "3": "block" };

const COUNT_COLUMNS: readonly BulkColumn[] = [
  ["item_id", "text"],
  ["type", "text"],
  ["value", "text"],
  ["count", "bigint"],
];
const ADD_COUNT =
  "on conflict (item_id, type, value) do update set count = discovery_item_counts.count + excluded.count";

const USER_COLUMNS: readonly BulkColumn[] = [
  ["item_id", "text"],
  ["user_key", "text"],
  ["count", "bigint"],
];
const ADD_USER = "on conflict (user_key, item_id) do update set count = discovery_item_users.count + excluded.count";
const ADDED_COLUMNS: readonly ChangedColumn[] = [
  ["devices_count", "bigint", "devices_count + ?"],
  ["users_count", "bigint", "users_count + ?"],
  ["instances_count", "bigint", "instances_count + ?"],
];
const DERIVED_COLUMNS: readonly ChangedColumn[] = [
  ["name", "text"],
  ["search_text", "text"],
  ["action", "text"],
  ["rule_id", "text"],
  ["risk_score", "bigint"],
  ["risk_reasons", "json"],
];

/** Adds up what a change of instances means for the counts of their items. IDs and types contain no spaces. */
export class CountChanges {
  readonly #counts = new Map<string, number>();
  readonly #users = new Map<string, number>();
  readonly #instances = new Map<string, number>();

  add(instance: DiscoveryInstanceRow, by: 1 | -1): void {
    const { item_id: item, action, rule_id: rule } = instance;
    change(this.#instances, item, by);
    change(this.#users, `${item} ${instance.user_key}`, by);
    change(this.#counts, `${item} client ${instance.client}`, by);
    change(this.#counts, `${item} name ${instance.name}`, by);
    change(this.#counts, `${item} risk ${instance.risk}`, by);
    if (action) change(this.#counts, `${item} action ${RANKS[action]} ${rule ?? ""}`, by);
  }

  /** Cells are `[item, type, value, change]`; changes that cancel each other are missing. */
  counts(): [string, CountType, string, number][] {
    return changed(this.#counts).map(([key, by]) => {
      const [item, rest] = splitOnce(key);
      const [type, value] = splitOnce(rest);
      return [item, type as CountType, value, by];
    });
  }

  users(): [string, string, number][] {
    return changed(this.#users).map(([key, by]) => [...splitOnce(key), by]);
  }

  instances(): Map<string, number> {
    return new Map(changed(this.#instances));
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(" ");
  return [text.slice(0, at), text.slice(at + 1)];
}

function change(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function changed(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].filter(([, by]) => by !== 0);
}

/**
 * Locks items in one order, so that reports of several devices do not wait for each other in a circle. A transaction of
 * SQLite is the only one that writes.
 */
export async function lockItems(tx: MainTransaction, ids: readonly string[]): Promise<void> {
  if (!(tx.getExecutor().adapter instanceof PostgresAdapter)) return;
  const query = tx
    .selectFrom("discovery_items")
    .select("id")
    .where(sql<boolean>`id in ${idList(tx, ids)}`);
  await query.orderBy("id").forUpdate().execute();
}

/**
 * Stores changed counts. The items are locked. `devicesChanged` are the changes of the number of devices by item.
 */
export async function storeCounts(
  tx: MainTransaction,
  changes: CountChanges,
  devicesChanged: ReadonlyMap<string, number>,
): Promise<void> {
  const usersChanged = await storeUsers(tx, changes.users());
  const instances = changes.instances();
  const ids = new Set([...devicesChanged.keys(), ...usersChanged.keys(), ...instances.keys()]);
  const rows = [...ids].map((id) => [
    devicesChanged.get(id) ?? 0,
    usersChanged.get(id) ?? 0,
    instances.get(id) ?? 0,
    id,
  ]);
  if (rows.length > 0) await updateRows(tx, "discovery_items", ADDED_COLUMNS, rows);
  const counts = changes.counts();
  if (counts.length === 0) return;
  await insertRows(tx, "discovery_item_counts", COUNT_COLUMNS, counts, ADD_COUNT);
  await storeDerived(tx, [...new Set(counts.flatMap(([id, type]) => (type === "client" ? [] : [id])))]);
}

/** Resolves to the change of the number of users by item. The items are locked, so no count changes after it was read. */
async function storeUsers(tx: MainTransaction, users: [string, string, number][]): Promise<Map<string, number>> {
  const changedUsers = new Map<string, number>();
  if (users.length === 0) return changedUsers;
  const pairs = sql`select value->>0 as item_id, value->>1 as user_key from ${jsonRows(tx, users)}`;
  const { rows } = await sql<{ item_id: string; user_key: string; count: number }>`
    select known.item_id, known.user_key, known.count from (${pairs}) as pairs
    join discovery_item_users as known on known.user_key = pairs.user_key and known.item_id = pairs.item_id`.execute(
    tx,
  );
  const before = new Map(rows.map((row) => [`${row.item_id} ${row.user_key}`, Number(row.count)]));
  await insertRows(tx, "discovery_item_users", USER_COLUMNS, users, ADD_USER);
  const gone = new Set<string>();
  for (const [item, user, by] of users) {
    const was = before.get(`${item} ${user}`) ?? 0;
    if (was + by <= 0) gone.add(user);
    const difference = Number(was + by > 0) - Number(was > 0);
    if (difference !== 0) change(changedUsers, item, difference);
  }
  if (gone.size > 0) {
    const isGone = sql<boolean>`count <= 0 and user_key in ${idList(tx, [...gone])}`;
    await sql`delete from discovery_item_users where ${isGone}`.execute(tx);
  }
  return changedUsers;
}

/**
 * The most frequent name, the highest risk, and the strictest action with its most frequent rule. Items that are gone keep
 * the last ones.
 */
async function storeDerived(tx: MainTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const counts = await tx
    .selectFrom("discovery_item_counts")
    .select(["item_id", "type", "value", "count"])
    .where(sql<boolean>`item_id in ${idList(tx, ids)}`)
    .where("type", "!=", "client")
    .where("count", ">", 0)
    .execute();
  const items = await tx
    .selectFrom("discovery_items")
    .select(["id", "name", "action", "rule_id", "risk_score", "risk_reasons"])
    .where(sql<boolean>`id in ${idList(tx, ids)}`)
    .execute();
  const byItem = Map.groupBy(counts, ({ item_id }) => item_id);
  const changes = new Map(
    items.flatMap((item): [string, Derived][] => {
      const before = storedDerived(item);
      const after = derivedOf(byItem.get(item.id) ?? [], before);
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [[item.id, after]];
    }),
  );
  if (changes.size === 0) return;
  // Only of items that changed, because facts are long and most items stay the same.
  const described = await tx
    .selectFrom("discovery_items")
    .select(["id", "facts"])
    .where(sql<boolean>`id in ${idList(tx, [...changes.keys()])}`)
    .execute();
  const rows = described.flatMap(({ id, facts }) => {
    const after = changes.get(id);
    if (!after) return [];
    const { name, action, rule, score, reasons } = after;
    return [[name, itemSearchText(name, facts), action, rule, score, JSON.stringify(reasons), id]];
  });
  await updateRows(tx, "discovery_items", DERIVED_COLUMNS, rows);
}

interface Derived {
  readonly name: string;
  readonly action: PolicyAction | null;
  readonly rule: string | null;
  readonly score: number;
  readonly reasons: readonly string[];
}

function storedDerived(
  item: Pick<DiscoveryItemRow, "name" | "action" | "rule_id" | "risk_score" | "risk_reasons">,
): Derived {
  return {
    name: item.name,
    action: item.action,
    rule: item.rule_id,
    score: item.risk_score,
    reasons: item.risk_reasons,
  };
}

type Count = { readonly type: CountType; readonly value: string; readonly count: number };

function derivedOf(counts: readonly Count[], before: Derived): Derived {
  const of = (wanted: CountType) => counts.filter(({ type }) => type === wanted);
  const risk = highest(of("risk"))?.value;
  const rank = highest(of("action"))?.value.charAt(0);
  const strictest = mostFrequent(of("action").filter(({ value }) => value.charAt(0) === rank))?.value;
  return {
    name: mostFrequent(of("name"))?.value ?? before.name,
    action: strictest === undefined ? before.action : (ACTIONS[strictest.charAt(0)] ?? null),
    rule: strictest === undefined ? before.rule : strictest.slice(2) || null,
    score: risk === undefined ? before.score : riskScore(risk),
    reasons: risk === undefined ? before.reasons : riskReasons(risk),
  };
}

export function riskScore(risk: string): number {
  return Number.parseInt(risk, 10);
}

export function riskReasons(risk: string): string[] {
  return risk.length > 4 ? risk.slice(4).split(",") : [];
}

function highest(counts: readonly Count[]): Count | undefined {
  return counts.reduce<Count | undefined>((best, each) => (best && best.value >= each.value ? best : each), undefined);
}

function mostFrequent(counts: readonly Count[]): Count | undefined {
  return counts.reduce<Count | undefined>((best, each) => {
    if (!best || each.count > best.count) return each;
    return each.count === best.count && each.value < best.value ? each : best;
  }, undefined);
}

const SEARCHED = ["url", "command", "package", "path", "description", "publisher"] as const;

export function itemSearchText(name: string, facts: DiscoveryItemRow["facts"]): string {
  const texts = SEARCHED.flatMap((field) => (typeof facts[field] === "string" ? [facts[field]] : []));
  return fold([name, ...texts].join("\n"));
}
