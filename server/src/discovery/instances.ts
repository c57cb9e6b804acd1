import { hash } from "node:crypto";
import { emailOf, itemSearchText } from "#records/discovery";
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
  const known = byPlace(stored);
  const found = new Map<string, Instance>();
  const newId = idsOf(device);
  for (const item of report.items) {
    const row = newInstance(device, item, item.username ?? report.username, now);
    const place = placeOf(row);
    const { id, first_seen } = known.get(place) ?? { id: newId(place), first_seen: now };
    found.set(id, { row: { ...row, id, first_seen }, found: item });
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
): Omit<DiscoveryInstanceRow, "id"> {
  const { kind, itemId, client, name, path, scope, details } = item;
  const row = {
    ...{ item_id: itemId, device_id: device.id, kind, client, name, path, scope, username, details },
    ...{ user_key: "", risk: "", action: null, rule_id: null, first_seen: now, last_seen: now, removed_at: null },
  };
  return withUser(row, device);
}

/** An instance that is found again has the same place on its device. */
function placeOf({ item_id, client, path, name, details, username }: Omit<DiscoveryInstanceRow, "id">): string {
  return JSON.stringify([item_id, client, path, name, details.project ?? "", username ?? ""]);
}

function byPlace(stored: readonly DiscoveryInstanceRow[]): Map<string, DiscoveryInstanceRow> {
  const known = new Map<string, DiscoveryInstanceRow>();
  for (const row of stored) {
    const place = placeOf(row);
    // After a rolling upgrade there can be a removed one with an ID of the other release.
    if (row.removed_at === null || !known.has(place)) known.set(place, row);
  }
  return known;
}

/** The instances of a device are next to each other in every index, so a report changes few pages (decision 0188). */
function idsOf(device: DiscoveryDeviceRow): (place: string) => string {
  const prefix = hash("sha256", device.id, "hex").slice(0, 12);
  return (place) => prefix + hash("sha256", place, "hex").slice(0, 28);
}

/** The device's email identifies its main user; other accounts are known by their names only. */
export function withUser<Row extends Pick<DiscoveryInstanceRow, "username" | "user_key">>(
  row: Row,
  device: DiscoveryDeviceRow,
): Row {
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
