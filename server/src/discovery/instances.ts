import { hash } from "node:crypto";
import { emailOf, itemId, itemSearchText } from "#records/discovery";
import type { DiscoveryDeviceRow, DiscoveryInstanceRow, DiscoveryItemRow } from "#storage/discovery-tables";
import { discoveredEndpoint } from "./known-facts.ts";
import type { CheckedReport, FoundItem } from "./report.ts";

export interface Instance {
  readonly row: DiscoveryInstanceRow;
  /** Undefined: the report says nothing about it, so it is kept. */
  readonly found: FoundItem | undefined;
}

/** Everything that is present after the report: what it contains, and what it says nothing about. */
export function instancesAfter(
  device: DiscoveryDeviceRow,
  report: CheckedReport,
  stored: readonly DiscoveryInstanceRow[],
  now: number,
): Instance[] {
  const known = new Map(stored.map((row) => [row.id, row]));
  const found = new Map<string, Instance>();
  for (const item of report.items) {
    const row = newInstance(device, item, item.username ?? report.username, now);
    found.set(row.id, { row: { ...row, first_seen: known.get(row.id)?.first_seen ?? now }, found: item });
  }
  const scanned = new Set([...report.device.users, ...(report.username === null ? [] : [report.username])]);
  const isUnknown = ({ username, path }: DiscoveryInstanceRow) =>
    (username !== null && scanned.size > 0 && !scanned.has(username)) ||
    report.errors.some((error) => isAtOrBelow(path, error.path));
  const kept = stored.filter(
    (row) => row.removed_at === null && !found.has(row.id) && (!report.full || isUnknown(row)),
  );
  return [...found.values(), ...kept.map((row) => ({ row: withUser(row, device), found: undefined }))];
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.replace(/[/\\]*$/, "/")) || path.startsWith(`${parent}\\`);
}

function newInstance(
  device: DiscoveryDeviceRow,
  item: FoundItem,
  username: string | null,
  now: number,
): DiscoveryInstanceRow {
  const { kind, key, client, name, path, scope, details } = item;
  const place = [device.id, kind, key, client, path, name, details.project ?? "", username ?? ""];
  const row = {
    id: hash("sha256", JSON.stringify(place), "hex").slice(0, 40),
    ...{ item_id: itemId(kind, key), device_id: device.id, kind, client, name, path, scope, username, details },
    ...{ user_key: "", risk: "", action: null, rule_id: null, first_seen: now, last_seen: now, removed_at: null },
  };
  return withUser(row, device);
}

/** The device's email identifies its main user; other accounts are known by their names only. */
export function withUser(row: DiscoveryInstanceRow, device: DiscoveryDeviceRow): DiscoveryInstanceRow {
  const email = emailOf(device);
  const isMain = row.username === null || row.username === device.username;
  return { ...row, user_key: isMain && email !== null ? email.toLowerCase() : (row.username ?? device.id) };
}

export function newItem(
  id: string,
  { kind, key, name, facts, transport, url }: FoundItem,
  now: number,
): DiscoveryItemRow {
  return {
    ...{ id, kind, key, name, search_text: itemSearchText(name, facts), facts, transport },
    ...{ endpoint_key: discoveredEndpoint(url), managed: false, action: null, rule_id: null },
    ...{ review_status: "unreviewed", note: null, reviewed_by: null, reviewed_at: null },
    ...{ risk_score: 0, risk_reasons: [], devices_count: 0, users_count: 0, instances_count: 0 },
    ...{ first_seen: now, last_seen: now },
  };
}
