import { type BulkColumnOf, cellsOf, insertRows, updateRows } from "#storage/bulk-insert";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryDeviceRow } from "#storage/discovery-tables";

/** What reports change. */
const REPORTED_COLUMNS = [
  ["serial_hash", "text"],
  ["hostname", "text"],
  ["os", "text"],
  ["os_version", "text"],
  ["arch", "text"],
  ["is_wsl", "boolean"],
  ["is_container", "boolean"],
  ["usernames", "json"],
  ["username", "text"],
  ["reported_email", "text"],
  ["search_text", "text"],
  ["agent_name", "text"],
  ["agent_version", "text"],
  ["retired", "boolean"],
  ["token_id", "text"],
  ["token_name", "text"],
  ["warnings", "json"],
  ["counts", "json"],
  ["scan_errors", "json"],
  ["recent_reports", "json"],
  ["last_seen", "bigint"],
  ["scanned_at", "bigint"],
  ["evaluation", "bigint"],
  ["content_digest", "text"],
  ["content_at", "bigint"],
] as const satisfies BulkColumnOf<DiscoveryDeviceRow>[];
const ID_COLUMN = ["id", "text"] as const;
const COLUMNS = [
  ...REPORTED_COLUMNS,
  ["reported_id", "text"],
  ["assigned_email", "text"],
  ["first_seen", "bigint"],
  ID_COLUMN,
] as const satisfies BulkColumnOf<DiscoveryDeviceRow>[];

/** Devices that exist stay unchanged. Resolves to the number of new ones. */
export function insertDevices(tx: MainTransaction, rows: readonly DiscoveryDeviceRow[]): Promise<number> {
  const cells = rows.map((row) => cellsOf(COLUMNS, row));
  return insertRows(tx, "discovery_devices", COLUMNS, cells, "on conflict (id) do nothing");
}

/** Stores everything that reports change. */
export async function updateReportedDevices(tx: MainTransaction, rows: readonly DiscoveryDeviceRow[]): Promise<void> {
  const cells = rows.map((row) => cellsOf([...REPORTED_COLUMNS, ID_COLUMN], row));
  await updateRows(tx, "discovery_devices", REPORTED_COLUMNS, cells);
}
