import { decisionOfRule } from "#policy/evaluate";
import { confirmDevices, decidedInstances, markItemsSeen } from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import type { AppliedReport, DiscoveryDeviceRow } from "#storage/discovery-tables";
import type { CurrentPolicy } from "./policy-reader.ts";
import { scannedAtOf } from "./scan-time.ts";
import type { IngestResult, ReportedDecision, SentReport } from "./sent-report.ts";

const REMEMBERED_REPORTS = 10;
const REMEMBERED_REJECTIONS = 20;
/** After this time a report is applied in full, so that changes that request no evaluation count, such as a synced registry. */
const CONFIRMED_FOR_MS = 6 * 60 * 60 * 1000;

export function isUnchanged(
  device: DiscoveryDeviceRow,
  { head, digest, actor }: SentReport,
  { row }: CurrentPolicy,
  now: number,
): boolean {
  return (
    digest !== undefined &&
    device.content_digest === digest &&
    device.evaluation === row.evaluation &&
    device.content_at > now - CONFIRMED_FOR_MS &&
    device.token_id === actor.id &&
    !device.retired &&
    !head.hasEnforcement &&
    scannedAtOf(head, now) >= device.scanned_at &&
    !device.recent_reports.some(({ id }) => id === head.reportId)
  );
}

/** Stores only the times of reports with the same content as the last one. The stored decisions are current. */
export async function confirmUnchanged(
  tx: MainTransaction,
  reports: readonly { readonly sent: SentReport; readonly device: DiscoveryDeviceRow }[],
  policy: CurrentPolicy,
  now: number,
): Promise<Map<SentReport, IngestResult>> {
  if (reports.length === 0) return new Map();
  const rows = await decidedInstances(
    tx,
    reports.map(({ device }) => device.id),
  );
  await markItemsSeen(tx, [...new Set(rows.map(({ item_id }) => item_id))], now);
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  const results = reports.map(({ sent, device }): [SentReport, IngestResult] => {
    const { accepted = {}, rejected = [] } = device.recent_reports.at(-1) ?? {};
    const decisions = (byDevice.get(device.id) ?? []).flatMap(
      ({ kind, key, name, client, action, rule_id, last_seen }) => {
        if (action === null || (kind !== "mcp_server" && kind !== "skill") || last_seen < device.content_at) return [];
        const decided: ReportedDecision = {
          ...decisionOfRule(policy.compiled, kind, rule_id),
          kind,
          key,
          name,
          client,
        };
        return [decided];
      },
    );
    const { version: policyVersion } = policy.row;
    return [sent, { deviceId: device.id, applied: true, accepted, rejected, removed: 0, decisions, policyVersion }];
  });
  const confirmed = reports.map(({ sent: { head }, device }) => {
    const { accepted = {}, rejected = [] } = device.recent_reports.at(-1) ?? {};
    const recent = withReport(device, { id: head.reportId, accepted, removed: 0, rejected });
    return { id: device.id, scannedAt: scannedAtOf(head, now), recent };
  });
  await confirmDevices(tx, confirmed, now);
  return new Map(results);
}

export function withReport(device: DiscoveryDeviceRow, report: AppliedReport): AppliedReport[] {
  const remembered = { ...report, rejected: report.rejected.slice(0, REMEMBERED_REJECTIONS) };
  return [...device.recent_reports, remembered].slice(-REMEMBERED_REPORTS);
}
