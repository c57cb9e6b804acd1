import { sql } from "kysely";
import type { NewId } from "#lib/ids";
import { type BulkColumn, insertRows } from "#storage/bulk-insert";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryInstanceRow, DiscoveryViolationRow } from "#storage/discovery-tables";
import { idList } from "#storage/id-list";
import { CountChanges, lockItems, storeCounts } from "./item-counts.ts";

const COLUMNS: readonly BulkColumn[] = [
  ["id", "text"],
  ["item_id", "text"],
  ["device_id", "text"],
  ["kind", "text"],
  ["client", "text"],
  ["name", "text"],
  ["path", "text"],
  ["scope", "text"],
  ["username", "text"],
  ["user_key", "text"],
  ["details", "json"],
  ["risk", "text"],
  ["action", "text"],
  ["rule_id", "text"],
  ["first_seen", "bigint"],
  ["last_seen", "bigint"],
];
/** The same instance has the same item, device and place forever. */
const UPDATED = ["scope", "username", "user_key", "details", "risk", "action", "rule_id", "last_seen"];
const ON_CONFLICT = `on conflict (id) do update set ${UPDATED.map((name) => `${name} = excluded.${name}`).join(", ")}, removed_at = null`;

export interface InstanceChanges {
  /** Rows of these devices, present and removed, as they are stored. */
  readonly before: readonly DiscoveryInstanceRow[];
  /** Everything that is present on these devices now. Their items exist. */
  readonly after: readonly DiscoveryInstanceRow[];
  /** Instances that were seen, if that is not all of `after`. */
  readonly seen?: ReadonlySet<string>;
}

export interface ApplyContext {
  readonly now: number;
  readonly newId: NewId;
  readonly policyVersion: number;
}

export interface AppliedInstances {
  /** Numbers of removed instances, by device. */
  readonly removed: ReadonlyMap<string, number>;
  readonly opened: readonly DiscoveryViolationRow[];
}

/**
 * Brings the instances of some devices to a new state, with the counts of their items and the violations of the policy.
 * The devices are locked.
 */
export async function applyInstances(
  tx: MainTransaction,
  wanted: InstanceChanges,
  context: ApplyContext,
): Promise<AppliedInstances> {
  const { written, removed, unchanged, stored, changes } = compare(wanted);
  const touched = new Set([...written, ...removed].map(({ item_id }) => item_id));
  if (touched.size > 0) await lockItems(tx, [...touched]);
  if (written.length > 0) await insertRows(tx, "discovery_instances", COLUMNS, written.map(cellsOf), ON_CONFLICT);
  if (removed.length > 0) await markRemoved(tx, removed, context.now);
  if (unchanged.length > 0) await setLastSeen(tx, unchanged, context.now);
  if (touched.size > 0) await storeCounts(tx, changes, devicesChanged(wanted));
  const opened = await storeViolations(tx, { stored, written, removed }, context);
  const byDevice = Map.groupBy(removed, ({ device_id }) => device_id);
  return { removed: new Map([...byDevice].map(([id, rows]) => [id, rows.length])), opened };
}

/** What has to be written. Instances that are as they were are only marked as seen. */
function compare({ before, after, seen }: InstanceChanges) {
  const stored = new Map(before.map((row) => [row.id, row]));
  const wanted = new Map(after.map((row) => [row.id, row]));
  const written: DiscoveryInstanceRow[] = [];
  const unchanged: string[] = [];
  const changes = new CountChanges();
  for (const row of wanted.values()) {
    const old = stored.get(row.id);
    const isPresent = old !== undefined && old.removed_at === null;
    if (isPresent && isSame(old, row)) {
      if (!seen || seen.has(row.id)) unchanged.push(row.id);
      continue;
    }
    written.push(row);
    if (isPresent) changes.add(old, -1);
    changes.add(row, 1);
  }
  const removed = before.filter(({ id, removed_at }) => removed_at === null && !wanted.has(id));
  for (const row of removed) changes.add(row, -1);
  return { stored, written, unchanged, removed, changes };
}

function isSame(old: DiscoveryInstanceRow, row: DiscoveryInstanceRow): boolean {
  return JSON.stringify(comparedOf(old)) === JSON.stringify(comparedOf(row));
}

function comparedOf({ scope, username, user_key, details, risk, action, rule_id }: DiscoveryInstanceRow) {
  return [scope, username, user_key, Object.entries(details).sort(byName), risk, action, rule_id];
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function cellsOf(row: DiscoveryInstanceRow): (string | number | null)[] {
  return [
    ...[row.id, row.item_id, row.device_id, row.kind, row.client, row.name, row.path, row.scope],
    ...[row.username, row.user_key, JSON.stringify(row.details), row.risk, row.action, row.rule_id],
    ...[row.first_seen, row.last_seen],
  ];
}

async function markRemoved(tx: MainTransaction, rows: readonly DiscoveryInstanceRow[], now: number): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await sql`update discovery_instances set removed_at = ${now} where id in ${idList(tx, ids)}`.execute(tx);
}

export async function setLastSeen(tx: MainTransaction, ids: readonly string[], at: number): Promise<void> {
  await sql`update discovery_instances set last_seen = ${at} where id in ${idList(tx, ids)}`.execute(tx);
}

/** A device counts once for an item, however many instances it has. */
function devicesChanged({ before, after }: InstanceChanges): Map<string, number> {
  const had = pairsOf(before.filter(({ removed_at }) => removed_at === null));
  const has = pairsOf(after);
  const changes = new Map<string, number>();
  const add = (item: string, by: number) => changes.set(item, (changes.get(item) ?? 0) + by);
  for (const [key, item] of has) if (!had.has(key)) add(item, 1);
  for (const [key, item] of had) if (!has.has(key)) add(item, -1);
  return changes;
}

function pairsOf(rows: readonly DiscoveryInstanceRow[]): Map<string, string> {
  return new Map(rows.map(({ item_id, device_id }) => [`${item_id} ${device_id}`, item_id]));
}

async function storeViolations(
  tx: MainTransaction,
  rows: {
    readonly stored: ReadonlyMap<string, DiscoveryInstanceRow>;
    readonly written: readonly DiscoveryInstanceRow[];
    readonly removed: readonly DiscoveryInstanceRow[];
  },
  { now, newId, policyVersion }: ApplyContext,
): Promise<DiscoveryViolationRow[]> {
  const actionBefore = ({ id }: DiscoveryInstanceRow) => {
    const old = rows.stored.get(id);
    return old && old.removed_at === null ? old.action : null;
  };
  const changed = rows.written.filter((row) => row.action !== actionBefore(row));
  const over = [...changed.filter((row) => isViolation(actionBefore(row))), ...rows.removed];
  const resolved = over.filter((row) => isViolation(rows.stored.get(row.id)?.action ?? null)).map(({ id }) => id);
  if (resolved.length > 0) {
    await sql`update discovery_violations set resolved_at = ${now}
      where resolved_at is null and instance_id in ${idList(tx, resolved)}`.execute(tx);
  }
  const opened = changed.flatMap(({ id, item_id, device_id, kind, action, rule_id }): DiscoveryViolationRow[] => {
    if (action === null || !isViolation(action)) return [];
    const of = { instance_id: id, item_id, device_id, kind, action, rule_id };
    const rest = { policy_version: policyVersion, enforcement: null, opened_at: now, resolved_at: null };
    return [{ id: newId("vio"), ...of, ...rest }];
  });
  if (opened.length > 0) {
    const cells = opened.map((row) => [
      ...[row.id, row.instance_id, row.item_id, row.device_id, row.kind, row.action, row.rule_id],
      ...[row.policy_version, row.opened_at],
    ]);
    await insertRows(tx, "discovery_violations", VIOLATION_COLUMNS, cells, "on conflict do nothing");
  }
  return opened;
}

const VIOLATION_COLUMNS: readonly BulkColumn[] = [
  ["id", "text"],
  ["instance_id", "text"],
  ["item_id", "text"],
  ["device_id", "text"],
  ["kind", "text"],
  ["action", "text"],
  ["rule_id", "text"],
  ["policy_version", "bigint"],
  ["opened_at", "bigint"],
];

function isViolation(action: string | null): boolean {
  return action === "warn" || action === "block";
}
