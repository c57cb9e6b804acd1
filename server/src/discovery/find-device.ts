import { invalid } from "#lib/errors";
import { deviceSearchText, findDevice, insertDevice, lockReportedDevices, updateDevice } from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryDeviceRow } from "#storage/discovery-tables";
import type { Actor } from "#storage/transaction";
import type { CheckedReport } from "./report.ts";

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

/**
 * Creates the device of a report. Devices with the same id and different serial numbers (`others`) are separate, so that
 * they do not overwrite each other's items.
 */
export async function createReportingDevice(
  tx: MainTransaction,
  report: CheckedReport,
  others: readonly DiscoveryDeviceRow[],
  actor: Actor,
  now: number,
): Promise<DiscoveryDeviceRow> {
  const row = newDevice(report, actor, now, others.length > 0);
  if (!(await insertDevice(tx, row))) {
    // A concurrent report has created it, or another device uses this id.
    const again = matchingDevice(await lockReportedDevices(tx, [report.device.id]), report.device.serialHash);
    if (again) return again;
    const taken = await findDevice(tx, row.id);
    throw invalid("device.id", taken ? "belongs to another device" : "changed concurrently; send the report again");
  }
  for (const other of others) {
    if (other.warnings.includes(CLONED_ID)) continue;
    await updateDevice(tx, other.id, { warnings: [...other.warnings, CLONED_ID] });
  }
  return row;
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
