import type { Decision } from "#policy/policy-types";
import {
  applyInstances,
  deviceSearchText,
  findJudgedItems,
  insertItems,
  instancesOfDevices,
  itemId,
  type JudgedItem,
  lockReportedDevices,
  markItemsSeen,
  noteEnforcement,
  seenWithDevice,
  setLastSeen,
  updateItem,
  updateReportedDevices,
} from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryDeviceRow, DiscoveryInstanceRow, DiscoveryItemRow } from "#storage/discovery-tables";
import type { Actor, WriteTrail } from "#storage/transaction";
import { contextsOf, Judge } from "./decide.ts";
import {
  createReportingDevices,
  matchingDevice,
  reportedFields,
  TOKEN_CHANGED,
  type UnknownDevice,
} from "./find-device.ts";
import { type Instance, instancesAfter, newItem } from "./instances.ts";
import { storeContact } from "./late-reports.ts";
import type { DiscoveryNeeds } from "./needs.ts";
import type { CurrentPolicy } from "./policy-reader.ts";
import { type CheckedReport, LISTS } from "./report.ts";
import { scannedAtOf } from "./scan-time.ts";
import type { IngestResult, ReportedDecision, SentReport } from "./sent-report.ts";
import { storeSkillTexts } from "./store-skill-texts.ts";
import { confirmUnchanged, isUnchanged, withReport } from "./unchanged-reports.ts";
import { emitViolations } from "./violation-event.ts";

const INSTANCES_PER_TURN = 50;

/** A report whose content differs from the last one of its device, or that was applied before. */
interface Differing {
  readonly sent: SentReport;
  readonly report: CheckedReport;
  readonly device: DiscoveryDeviceRow;
}

/** Applies reports of different devices in one transaction (decision 0152). The results have the order of the reports. */
export async function ingestReports(
  tx: MainTransaction,
  trail: WriteTrail,
  reports: readonly SentReport[],
  needs: DiscoveryNeeds,
): Promise<IngestResult[]> {
  const policy = await needs.readPolicy(tx);
  const locked = Map.groupBy(
    await lockReportedDevices(
      tx,
      reports.map(({ head }) => head.deviceId),
    ),
    (row) => row.reported_id,
  );
  const results = new Map<SentReport, IngestResult>();
  const unchanged: { sent: SentReport; device: DiscoveryDeviceRow }[] = [];
  const differing: Differing[] = [];
  const unknown: UnknownDevice[] = [];
  for (const sent of reports) {
    const { head } = sent;
    const known = locked.get(head.deviceId) ?? [];
    const device = matchingDevice(known, head.serialHash);
    if (device && isUnchanged(device, sent, policy, needs.now)) {
      unchanged.push({ sent, device });
      continue;
    }
    const report = await sent.check();
    if (device) differing.push({ sent, report, device });
    else unknown.push({ sent, report, others: known });
  }
  const created = await createReportingDevices(tx, unknown, needs.now);
  for (const [index, device] of created.entries()) {
    const of = unknown[index];
    if (of) differing.push({ sent: of.sent, report: of.report, device });
  }
  for (const [sent, result] of await confirmUnchanged(tx, unchanged, policy, needs.now)) results.set(sent, result);
  if (differing.length > 0) {
    for (const [sent, result] of await applyDiffering(tx, trail, differing, policy, needs)) results.set(sent, result);
  }
  return reports.flatMap((sent) => results.get(sent) ?? []);
}

interface Judged {
  readonly row: DiscoveryInstanceRow;
  readonly found: Instance["found"];
  readonly item: JudgedItem;
  readonly decision: Decision | undefined;
  readonly managed: boolean;
}

async function applyDiffering(
  tx: MainTransaction,
  trail: WriteTrail,
  reports: readonly Differing[],
  policy: CurrentPolicy,
  needs: DiscoveryNeeds,
): Promise<Map<SentReport, IngestResult>> {
  const { now, newId } = needs;
  const devices = new Map(reports.map(({ device }) => [device.id, device]));
  const stored = Map.groupBy(
    (await instancesOfDevices(tx, [...devices.keys()])).map((row) => withSeenTime(row, devices)),
    (row) => row.device_id,
  );
  const prepared = reports.map((each) => prepare(each, stored.get(each.device.id) ?? [], needs));
  const judged = await judgeAll(tx, prepared, policy, needs);
  const applied = prepared.filter(({ isApplied }) => isApplied);
  const of = (device: { readonly id: string }) => judged.get(device.id) ?? [];
  const before = applied.flatMap((each) => each.stored);
  const after = applied.flatMap(({ updated }) => of(updated).map(({ row }) => row));
  const seen = new Set(
    applied.flatMap(({ instances }) => instances.flatMap(({ row, found }) => (found ? [row.id] : []))),
  );
  const { removed, opened } = await applyInstances(
    tx,
    { before, after, seen },
    { now, newId, policyVersion: policy.row.version },
  );
  const all = applied.flatMap(({ updated }) => of(updated));
  await storeSkillTexts(tx, all, now);
  await storeManaged(tx, all);
  await markItemsSeen(tx, [...new Set(all.flatMap(({ row, found }) => (found ? [row.item_id] : [])))], now);
  await noteEnforced(tx, applied);
  const devicesAfter = applied.map((each) =>
    deviceAfter(each, of(each.updated), removed.get(each.device.id) ?? 0, policy, now),
  );
  if (devicesAfter.length > 0) await updateReportedDevices(tx, devicesAfter);
  for (const each of prepared) if (each.isLate) await storeContact(tx, each.device, each.stored, now);
  const items = new Map(all.map(({ item }) => [item.id, item]));
  emitViolations(trail, opened, {
    devices: new Map(applied.map(({ updated }) => [updated.id, updated])),
    items,
    instances: after,
  });
  return new Map(
    prepared.map((each) => [each.sent, resultOf(each, of(each.updated), removed.get(each.device.id) ?? 0, policy)]),
  );
}

interface Prepared extends Differing {
  readonly isApplied: boolean;
  /** A newer report was applied before. */
  readonly isLate: boolean;
  /** The device with the fields of the report. */
  readonly updated: DiscoveryDeviceRow;
  readonly stored: readonly DiscoveryInstanceRow[];
  readonly instances: readonly Instance[];
}

function prepare(each: Differing, stored: readonly DiscoveryInstanceRow[], { now }: DiscoveryNeeds): Prepared {
  const { device, report, sent } = each;
  const isRepeated = device.recent_reports.some(({ id }) => id === report.reportId);
  const isLate = !isRepeated && scannedAtOf(report, now) < device.scanned_at;
  const isApplied = !isRepeated && !isLate;
  const updated = isApplied ? { ...device, ...fieldsAfter(device, report, sent.actor, now) } : device;
  return { ...each, isApplied, isLate, updated, stored, instances: instancesAfter(updated, report, stored, now) };
}

/** Instances of the last report were seen with every unchanged report since then. */
function withSeenTime(
  row: DiscoveryInstanceRow,
  devices: ReadonlyMap<string, DiscoveryDeviceRow>,
): DiscoveryInstanceRow {
  const device = devices.get(row.device_id);
  return device && seenWithDevice(row, device) ? { ...row, last_seen: device.last_seen } : row;
}

function fieldsAfter(device: DiscoveryDeviceRow, report: CheckedReport, actor: Actor, now: number) {
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

/** Decides about all instances, by device. */
async function judgeAll(
  tx: MainTransaction,
  prepared: readonly Prepared[],
  policy: CurrentPolicy,
  needs: DiscoveryNeeds,
): Promise<Map<string, Judged[]>> {
  const instances = prepared.flatMap((each) => each.instances);
  const items = await itemsOf(tx, instances, needs.now);
  const known = await needs.readKnown(tx, [...items.values()]);
  const contexts = await contextsOf(
    tx,
    prepared.map(({ updated }) => updated),
    needs.now,
    policy,
  );
  const judge = new Judge({ policy, known, gatewayUrls: needs.gatewayUrls, facts: needs.facts });
  const judged: Judged[] = [];
  for (const [index, { row, found }] of instances.entries()) {
    if (index % INSTANCES_PER_TURN === INSTANCES_PER_TURN - 1) await needs.nextTurn();
    const [item, context] = [items.get(row.item_id), contexts.get(row.device_id)];
    if (!item || !context) throw new Error("an instance without an item");
    const { decision, risk, managed } = judge.judge(row, item, context);
    const after = { ...row, risk, action: decision?.action ?? null, rule_id: decision?.rule_id ?? null };
    judged.push({ row: after, found, item, decision, managed });
  }
  return Map.groupBy(judged, ({ row }) => row.device_id);
}

/** The items of all instances. New ones are created. */
async function itemsOf(
  tx: MainTransaction,
  instances: readonly Instance[],
  now: number,
): Promise<Map<string, JudgedItem>> {
  const items = await findJudgedItems(tx, [...new Set(instances.map(({ row }) => row.item_id))]);
  const created = new Map<string, DiscoveryItemRow>();
  for (const { row, found } of instances) {
    if (found && !items.has(row.item_id)) created.set(row.item_id, newItem(row.item_id, found, now));
  }
  if (created.size > 0) await insertItems(tx, [...created.values()]);
  for (const [id, item] of created) items.set(id, item);
  return items;
}

/** Also follows a changed gateway URL and skills that were added here. */
export async function storeManaged(
  tx: MainTransaction,
  judged: readonly { readonly item: JudgedItem; readonly managed: boolean }[],
): Promise<void> {
  const changed = new Map(
    judged.filter(({ item, managed }) => item.managed !== managed).map((each) => [each.item.id, each]),
  );
  for (const { item, managed } of changed.values()) await updateItem(tx, item.id, { managed });
}

/** Also stores until when missing instances were seen. */
async function noteEnforced(tx: MainTransaction, applied: readonly Prepared[]): Promise<void> {
  for (const { report, device, stored, instances } of applied) {
    const found = new Set(instances.flatMap((each) => (each.found ? [each.row.id] : [])));
    const missing = stored.filter((row) => seenWithDevice(row, device) && !found.has(row.id)).map(({ id }) => id);
    if (missing.length > 0) await setLastSeen(tx, missing, device.last_seen);
    for (const { key, result, reason } of report.enforcement) {
      const text = reason === undefined ? result : `${result}: ${reason}`;
      await noteEnforcement(tx, device.id, [itemId("mcp_server", key), itemId("skill", key)], text);
    }
  }
}

function deviceAfter(
  { sent, report, device, updated }: Prepared,
  judged: readonly Judged[],
  removed: number,
  policy: CurrentPolicy,
  now: number,
): DiscoveryDeviceRow {
  return {
    ...updated,
    search_text: deviceSearchText(updated),
    counts: countKinds(judged.map(({ row }) => row)),
    recent_reports: withReport(device, {
      id: report.reportId,
      removed,
      accepted: report.accepted,
      rejected: [...report.rejected],
    }),
    scanned_at: scannedAtOf(report, now),
    evaluation: policy.row.evaluation,
    content_digest: sent.digest ?? null,
    content_at: now,
  };
}

function countKinds(rows: readonly DiscoveryInstanceRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of Object.values(LISTS)) counts[name] = 0;
  for (const [kind, of] of Map.groupBy(rows, (row) => row.kind)) {
    counts[LISTS[kind]] = new Set(of.map(({ item_id }) => item_id)).size;
  }
  return counts;
}

function resultOf(
  { device, report, isApplied }: Prepared,
  judged: readonly Judged[],
  removed: number,
  policy: CurrentPolicy,
): IngestResult {
  const before = device.recent_reports.find(({ id }) => id === report.reportId);
  const { accepted, rejected } = before ?? report;
  const decisions = judged.flatMap(({ found, item, decision }): ReportedDecision[] => {
    if (!found || !decision || (found.kind !== "mcp_server" && found.kind !== "skill")) return [];
    return [{ ...decision, kind: found.kind, key: item.key, name: found.name, client: found.client }];
  });
  return {
    ...{ deviceId: device.id, applied: isApplied, accepted, rejected, decisions },
    removed: before ? before.removed : removed,
    policyVersion: policy.row.version,
  };
}
