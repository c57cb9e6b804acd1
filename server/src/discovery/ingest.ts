import { createHash } from "node:crypto";
import type { NewId } from "#lib/ids";
import type { Decision } from "#policy/policy-types";
import {
  applyInstances,
  deviceSearchText,
  emailOf,
  findItems,
  insertItems,
  instancesOfDevices,
  itemId,
  itemSearchText,
  markItemsSeen,
  noteEnforcement,
  updateDevice,
  updateItem,
} from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryDeviceRow, DiscoveryInstanceRow, DiscoveryItemRow } from "#storage/discovery-tables";
import type { Actor, WriteTrail } from "#storage/transaction";
import { contextsOf, type DecisionNeeds, judge } from "./decide.ts";
import { lockReportingDevice, reportedFields, TOKEN_CHANGED } from "./find-device.ts";
import { discoveredEndpoint } from "./known-facts.ts";
import { type CheckedReport, type FoundItem, LISTS } from "./report.ts";
import { emitViolations } from "./violation-event.ts";

const REMEMBERED_REPORTS = 10;
const REMEMBERED_REJECTIONS = 20;

export interface IngestNeeds extends DecisionNeeds {
  readonly newId: NewId;
  readonly now: number;
  readonly actor: Actor;
}

export interface ReportedDecision extends Decision {
  readonly kind: "mcp_server" | "skill";
  readonly key: string;
  readonly name: string;
  readonly client: string;
}

export interface IngestResult {
  readonly device: DiscoveryDeviceRow;
  /** False: it was applied before, or a newer one was. */
  readonly applied: boolean;
  readonly accepted: Record<string, number>;
  readonly removed: number;
  readonly rejected: readonly { path: string; reason: string }[];
  readonly decisions: readonly ReportedDecision[];
}

interface Instance {
  readonly row: DiscoveryInstanceRow;
  readonly found: FoundItem | undefined;
}

/** Applies a report in one transaction. */
export async function ingest(
  tx: MainTransaction,
  trail: WriteTrail,
  report: CheckedReport,
  needs: IngestNeeds,
): Promise<IngestResult> {
  const device = await lockReportingDevice(tx, report, needs.actor, needs.now);
  const before = device.recent_reports.find(({ id }) => id === report.reportId);
  const scannedAt = Math.min(report.scannedAt, needs.now);
  const isOutdated = scannedAt < device.scanned_at;
  const stored = await instancesOfDevices(tx, [device.id]);
  const updated = before || isOutdated ? device : { ...device, ...fieldsAfter(device, report, needs) };
  const instances = instancesOf(updated, report, stored, needs.now);
  const items = await itemsOf(tx, instances, needs);
  const [context] = [...(await contextsOf(tx, [updated], needs.now, needs.policy)).values()];
  const judged = instances.map(({ row, found }) => {
    const item = items.get(row.item_id);
    if (!item || !context) throw new Error("an instance without an item");
    const { decision, risk, managed } = judge(row, item, context, needs);
    const after = { ...row, risk, action: decision?.action ?? null, rule_id: decision?.rule_id ?? null };
    return { row: after, found, item, decision, managed };
  });
  const decisions = judged.flatMap(({ found, item, decision }): ReportedDecision[] => {
    if (!found || !decision || (found.kind !== "mcp_server" && found.kind !== "skill")) return [];
    return [{ ...decision, kind: found.kind, key: item.key, name: found.name, client: found.client }];
  });
  if (before) return { device, applied: false, ...before, decisions };
  const { accepted, rejected } = report;
  if (isOutdated) return { device, applied: false, accepted, removed: 0, rejected, decisions };
  const seen = new Set(instances.flatMap(({ row, found }) => (found ? [row.id] : [])));
  const after = judged.map(({ row }) => row);
  const context_ = { now: needs.now, newId: needs.newId, policyVersion: needs.policy.row.version };
  const { removed, opened } = await applyInstances(tx, { before: stored, after, seen }, context_);
  await storeManaged(tx, judged);
  await markItemsSeen(tx, [...new Set(judged.flatMap(({ row, found }) => (found ? [row.item_id] : [])))], needs.now);
  await storeEnforcement(tx, device.id, report);
  const remembered = { id: report.reportId, accepted, removed, rejected: rejected.slice(0, REMEMBERED_REJECTIONS) };
  const changes = {
    ...fieldsAfter(device, report, needs),
    search_text: deviceSearchText(updated),
    counts: countKinds(after),
    recent_reports: [...device.recent_reports, remembered].slice(-REMEMBERED_REPORTS),
    scanned_at: scannedAt,
    evaluation: needs.policy.row.evaluation,
  };
  await updateDevice(tx, device.id, changes);
  emitViolations(trail, opened, { devices: new Map([[device.id, updated]]), items, instances: after });
  return { device: { ...updated, ...changes }, applied: true, accepted, removed, rejected, decisions };
}

function fieldsAfter(device: DiscoveryDeviceRow, report: CheckedReport, { actor, now }: IngestNeeds) {
  const isOtherToken = device.token_id !== actor.id && !device.warnings.includes(TOKEN_CHANGED);
  return {
    ...reportedFields(report),
    // A scan without the rights to read the serial number does not erase it.
    serial_hash: report.device.serialHash ?? device.serial_hash,
    retired: false,
    token_id: actor.id,
    token_name: actor.name,
    warnings: isOtherToken ? [...device.warnings, TOKEN_CHANGED] : device.warnings,
    last_seen: now,
  };
}

/** Everything that is present after the report: what it contains, and what it says nothing about. */
function instancesOf(
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
    id: createHash("sha256").update(JSON.stringify(place)).digest("hex").slice(0, 40),
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

/** The items of all instances. New ones are created. */
async function itemsOf(
  tx: MainTransaction,
  instances: readonly Instance[],
  { now }: IngestNeeds,
): Promise<Map<string, DiscoveryItemRow>> {
  const items = await findItems(tx, [...new Set(instances.map(({ row }) => row.item_id))]);
  const created = new Map<string, DiscoveryItemRow>();
  for (const { row, found } of instances) {
    if (found && !items.has(row.item_id)) created.set(row.item_id, newItem(row.item_id, found, now));
  }
  if (created.size > 0) await insertItems(tx, [...created.values()]);
  return new Map([...items, ...created]);
}

function newItem(id: string, { kind, key, name, facts, transport, url }: FoundItem, now: number): DiscoveryItemRow {
  return {
    ...{ id, kind, key, name, search_text: itemSearchText(name, facts), facts, transport },
    ...{ endpoint_key: discoveredEndpoint(url), managed: false, action: null, rule_id: null },
    ...{ review_status: "unreviewed", note: null, reviewed_by: null, reviewed_at: null },
    ...{ risk_score: 0, risk_reasons: [], devices_count: 0, users_count: 0, instances_count: 0 },
    ...{ first_seen: now, last_seen: now },
  };
}

/** Also follows a changed gateway URL and skills that were added here. */
export async function storeManaged(
  tx: MainTransaction,
  judged: readonly { readonly item: DiscoveryItemRow; readonly managed: boolean }[],
): Promise<void> {
  const changed = new Map(
    judged.filter(({ item, managed }) => item.managed !== managed).map((each) => [each.item.id, each]),
  );
  for (const { item, managed } of changed.values()) await updateItem(tx, item.id, { managed });
}

async function storeEnforcement(tx: MainTransaction, deviceId: string, { enforcement }: CheckedReport): Promise<void> {
  for (const { key, result, reason } of enforcement) {
    const text = reason === undefined ? result : `${result}: ${reason}`;
    await noteEnforcement(tx, deviceId, itemId("mcp_server", key), text);
    await noteEnforcement(tx, deviceId, itemId("skill", key), text);
  }
}

function countKinds(rows: readonly DiscoveryInstanceRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of Object.values(LISTS)) counts[name] = 0;
  for (const [kind, of] of Map.groupBy(rows, (row) => row.kind)) {
    counts[LISTS[kind]] = new Set(of.map(({ item_id }) => item_id)).size;
  }
  return counts;
}
