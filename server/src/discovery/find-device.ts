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

/**
 * Locks the device of a report, and creates it if it is new. Devices with the same id and different serial numbers are
 * separate, so that they do not overwrite each other's items.
 */
export async function lockReportingDevice(
  tx: MainTransaction,
  report: CheckedReport,
  actor: Actor,
  now: number,
): Promise<DiscoveryDeviceRow> {
  const found = await lockExisting(tx, report);
  if (found.device) return found.device;
  const isClone = found.others.length > 0;
  const row = newDevice(report, actor, now, isClone);
  if (!(await insertDevice(tx, row))) {
    // A concurrent report has created it, or another device uses this id.
    const again = await lockExisting(tx, report);
    if (again.device) return again.device;
    const taken = await findDevice(tx, row.id);
    throw invalid("device.id", taken ? "belongs to another device" : "changed concurrently; send the report again");
  }
  for (const other of found.others) {
    if (other.warnings.includes(CLONED_ID)) continue;
    await updateDevice(tx, other.id, { warnings: [...other.warnings, CLONED_ID] });
  }
  return row;
}

async function lockExisting(tx: MainTransaction, { device }: CheckedReport) {
  const others = await lockReportedDevices(tx, device.id);
  const same = others.find(
    ({ serial_hash: serial }) => device.serialHash === null || serial === null || serial === device.serialHash,
  );
  const exact = others.find(({ serial_hash: serial }) => serial !== null && serial === device.serialHash);
  return { device: exact ?? same, others };
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
