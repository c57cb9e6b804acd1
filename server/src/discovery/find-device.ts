import { invalid } from "#lib/errors";
import { deviceSearchText, findDevices, insertDevices, lockReportedDevices, updateDevice } from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryDeviceRow } from "#storage/discovery-tables";
import type { Actor } from "#storage/transaction";
import type { CheckedReport } from "./report.ts";
import type { SentReport } from "./sent-report.ts";

/** Two devices report the same id: they were installed from one disk image. */
export const CLONED_ID = "cloned_id";
/** Reports of a device arrive with another API token than before. */
export const TOKEN_CHANGED = "token_changed";

/** Of the devices that report an id, the one with this serial number. A missing serial number matches. */
export function matchingDevice(
  devices: readonly DiscoveryDeviceRow[],
  serialHash: string | null | undefined,
): DiscoveryDeviceRow | undefined {
  const given = serialHash || null;
  const exact = devices.find(({ serial_hash: serial }) => serial !== null && serial === given);
  return exact ?? devices.find(({ serial_hash: serial }) => given === null || serial === null);
}

export interface UnknownDevice {
  readonly sent: SentReport;
  readonly report: CheckedReport;
  /** Devices with the same ID and another serial number. */
  readonly others: readonly DiscoveryDeviceRow[];
}

/**
 * Creates the devices of reports. Devices with the same ID and different serial numbers are separate, so that they do not
 * overwrite each other's items.
 */
export async function createReportingDevices(
  tx: MainTransaction,
  unknown: readonly UnknownDevice[],
  now: number,
): Promise<DiscoveryDeviceRow[]> {
  if (unknown.length === 0) return [];
  const rows = unknown.map(({ sent, report, others }) => newDevice(report, sent.actor, now, others.length > 0));
  const count = await insertDevices(tx, rows);
  for (const other of unknown.flatMap(({ others }) => others)) {
    if (other.warnings.includes(CLONED_ID)) continue;
    await updateDevice(tx, other.id, { warnings: [...other.warnings, CLONED_ID] });
  }
  return count === rows.length ? rows : storedInstead(tx, unknown, rows);
}

/** Concurrent reports have created some of the devices, or other devices use these IDs. */
async function storedInstead(
  tx: MainTransaction,
  unknown: readonly UnknownDevice[],
  rows: readonly DiscoveryDeviceRow[],
): Promise<DiscoveryDeviceRow[]> {
  const ids = unknown.map(({ report }) => report.device.id);
  const stored = Map.groupBy(await lockReportedDevices(tx, ids), (row) => row.reported_id);
  const taken = await findDevices(
    tx,
    rows.map(({ id }) => id),
  );
  return unknown.map(({ report: { device } }, index) => {
    const again = matchingDevice(stored.get(device.id) ?? [], device.serialHash);
    if (again) return again;
    const isTaken = taken.has(rows[index]?.id ?? "");
    throw invalid("device.id", isTaken ? "belongs to another device" : "changed concurrently; send the report again");
  });
}

function newDevice(report: CheckedReport, actor: Actor, now: number, isClone: boolean): DiscoveryDeviceRow {
  const { device } = report;
  const serial = device.serialHash?.replace(/^sha256:/, "").slice(0, 12) ?? "";
  const row = {
    ...reportedFields(report),
    id: isClone ? `${device.id}~${serial}` : device.id,
    reported_id: device.id,
    assigned_email: null,
    retired: false,
    token_id: actor.id,
    token_name: actor.name,
    warnings: isClone ? [CLONED_ID] : [],
    counts: {},
    recent_reports: [],
    first_seen: now,
    last_seen: now,
    scanned_at: 0,
    evaluation: 0,
    content_digest: null,
    content_at: now,
  };
  return { ...row, search_text: deviceSearchText(row) };
}

/** What each report says about its device. */
export function reportedFields({ device, agent, username, email, errors }: CheckedReport) {
  return {
    serial_hash: device.serialHash,
    hostname: device.hostname,
    os: device.os,
    os_version: device.osVersion,
    arch: device.arch,
    is_wsl: device.isWsl,
    is_container: device.isContainer,
    usernames: [...device.users],
    username,
    reported_email: email,
    agent_name: agent.name,
    agent_version: agent.version,
    scan_errors: errors.map(({ path, code }) => ({ path, code })),
  };
}
