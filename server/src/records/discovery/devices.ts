import { type Expression, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";
import { type ChangedColumn, updateRows } from "#storage/bulk-insert";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import type { AppliedReport, DiscoveryDeviceRow, DiscoveryInstanceRow } from "#storage/discovery-tables";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";

export const DEVICE_STATUSES = ["active", "stale", "retired"] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** Devices that did not report for three scan intervals are stale. */
export const STALE_SCANS = 3;

export interface DeviceFilter {
  readonly search?: string | undefined;
  readonly status?: DeviceStatus | undefined;
  readonly os?: string | undefined;
  readonly email?: string | undefined;
}

export function deviceStatus({ retired, last_seen }: DiscoveryDeviceRow, staleBefore: number): DeviceStatus {
  if (retired) return "retired";
  return last_seen < staleBefore ? "stale" : "active";
}

/** The email that counts: the assigned one, or else the reported one. */
export function emailOf(device: Pick<DiscoveryDeviceRow, "assigned_email" | "reported_email">): string | null {
  return device.assigned_email ?? device.reported_email;
}

export function deviceSearchText(device: Omit<DiscoveryDeviceRow, "search_text">): string {
  const texts = [device.id, device.hostname, device.username, device.assigned_email, device.reported_email];
  return fold(texts.filter((text) => text !== null).join("\n"));
}

export async function listDevices(
  db: MainDb,
  { search, status, os, email }: DeviceFilter,
  { skip, limit, staleBefore }: { skip: number; limit: number; staleBefore: number },
): Promise<DiscoveryDeviceRow[]> {
  let query = db.selectFrom("discovery_devices").selectAll();
  if (search !== undefined) query = query.where(contains("search_text", search));
  if (os !== undefined) query = query.where("os", "=", os);
  if (email !== undefined) query = query.where(sql<string>`coalesce(assigned_email, reported_email)`, "=", email);
  if (status === "retired") query = query.where("retired", "=", true);
  if (status === "active") query = query.where("retired", "=", false).where("last_seen", ">=", staleBefore);
  if (status === "stale") query = query.where("retired", "=", false).where("last_seen", "<", staleBefore);
  return query.orderBy("first_seen").orderBy("id").offset(skip).limit(limit).execute();
}

/** The next devices by id, for exports. */
export async function devicesAfter(db: MainDb, after: string, limit: number): Promise<DiscoveryDeviceRow[]> {
  return db.selectFrom("discovery_devices").selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();
}

export async function findDevice(db: MainDb, id: string): Promise<DiscoveryDeviceRow | undefined> {
  return db.selectFrom("discovery_devices").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function findDevices(db: MainDb, ids: readonly string[]): Promise<Map<string, DiscoveryDeviceRow>> {
  if (ids.length === 0) return new Map();
  const isOne = sql<boolean>`id in ${idList(db, ids)}`;
  const rows = await db.selectFrom("discovery_devices").selectAll().where(isOne).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function lockDevice(tx: MainTransaction, id: string): Promise<DiscoveryDeviceRow | undefined> {
  return lockRows(tx, tx.selectFrom("discovery_devices").selectAll().where("id", "=", id)).executeTakeFirst();
}

/** Devices that reported these ids: one each, or several that were installed from one disk image. */
export async function lockReportedDevices(
  tx: MainTransaction,
  reportedIds: readonly string[],
): Promise<DiscoveryDeviceRow[]> {
  const isOne = sql<boolean>`reported_id in ${idList(tx, reportedIds)}`;
  const query = tx.selectFrom("discovery_devices").selectAll().where(isOne);
  return lockRows(tx, query.orderBy("first_seen").orderBy("id")).execute();
}

export async function updateDevice(
  tx: MainTransaction,
  id: string,
  changes: Partial<Omit<DiscoveryDeviceRow, "id">>,
): Promise<void> {
  await tx.updateTable("discovery_devices").set(changes).where("id", "=", id).execute();
}

export interface ConfirmedDevice {
  readonly id: string;
  readonly scannedAt: number;
  readonly recent: readonly AppliedReport[];
}

/** Stores the times of reports that changed nothing else. */
export async function confirmDevices(
  tx: MainTransaction,
  devices: readonly ConfirmedDevice[],
  now: number,
): Promise<void> {
  const rows = devices.map(({ id, scannedAt, recent }) => [now, scannedAt, JSON.stringify(recent), id]);
  await updateRows(tx, "discovery_devices", CONFIRMED_COLUMNS, rows);
}

const CONFIRMED_COLUMNS: readonly ChangedColumn[] = [
  ["last_seen", "bigint"],
  ["scanned_at", "bigint"],
  ["recent_reports", "json"],
];

/** Whether a present instance was in the last report with other content, and so in every report since then. */
export function seenWithDevice(
  { removed_at, last_seen }: DiscoveryInstanceRow,
  { content_digest, content_at }: DiscoveryDeviceRow,
): boolean {
  return removed_at === null && content_digest !== null && last_seen >= content_at;
}

/** Everything else of the device is deleted with it. The counts of its items are adjusted before. */
export async function deleteDevice(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("discovery_devices").where("id", "=", id).execute();
}

export async function countDevices(db: MainDb, staleBefore: number): Promise<Record<DeviceStatus, number>> {
  const count = (condition: Expression<SqlBool>) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
  const row = await db
    .selectFrom("discovery_devices")
    .select((where) => [
      count(where("retired", "=", true)).as("retired"),
      count(where.and([where("retired", "=", false), where("last_seen", "<", staleBefore)])).as("stale"),
      count(where.and([where("retired", "=", false), where("last_seen", ">=", staleBefore)])).as("active"),
    ])
    .executeTakeFirstOrThrow();
  return { active: Number(row.active), stale: Number(row.stale), retired: Number(row.retired) };
}

/** All rows of these devices, removed ones included. */
export async function instancesOfDevices(db: MainDb, ids: readonly string[]): Promise<DiscoveryInstanceRow[]> {
  const isOne = sql<boolean>`device_id in ${idList(db, ids)}`;
  return db.selectFrom("discovery_instances").selectAll().where(isOne).execute();
}

/** Locks the next devices whose instances were not evaluated for this evaluation. */
export async function lockDevicesToEvaluate(
  tx: MainTransaction,
  evaluation: number,
  limit: number,
): Promise<DiscoveryDeviceRow[]> {
  const query = tx.selectFrom("discovery_devices").selectAll().where("evaluation", "<", evaluation);
  return lockRows(tx, query.orderBy("evaluation").orderBy("id").limit(limit)).execute();
}

export async function markEvaluated(tx: MainTransaction, ids: readonly string[], evaluation: number): Promise<void> {
  await tx
    .updateTable("discovery_devices")
    .set({ evaluation })
    .where(sql<boolean>`id in ${idList(tx, ids)}`)
    .execute();
}

export async function countDevicesToEvaluate(db: MainDb, evaluation: number): Promise<number> {
  const { n } = await db
    .selectFrom("discovery_devices")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("evaluation", "<", evaluation)
    .executeTakeFirstOrThrow();
  return n;
}
