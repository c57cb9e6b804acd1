import type { Decision } from "#policy/policy-types";
import type { Actor } from "#storage/transaction";
import type { GivenReport } from "./check-report.ts";
import type { CheckedReport } from "./report.ts";
import { type ScanTime, scanTimeOf } from "./scan-time.ts";

/** What decides whether a report has to be checked. */
export interface ReportHead extends ScanTime {
  readonly reportId: string;
  /** As the device reports it. */
  readonly deviceId: string;
  readonly serialHash: string | null;
  readonly hasEnforcement: boolean;
}

export function headOf(given: GivenReport): ReportHead {
  const { report_id: reportId, device, enforcement } = given;
  return {
    ...{ reportId, ...scanTimeOf(given), deviceId: device.id, serialHash: device.serial_hash || null },
    hasEnforcement: enforcement.length > 0,
  };
}

export interface SentReport {
  readonly head: ReportHead;
  /** Equal for reports with the same content. Undefined if it is too deep. */
  readonly digest: string | undefined;
  readonly actor: Actor;
  /** Not called if the content is that of the last report. */
  check(): Promise<CheckedReport>;
}

export interface ReportedDecision extends Decision {
  readonly kind: "mcp_server" | "skill";
  readonly key: string;
  readonly name: string;
  readonly client: string;
}

export interface IngestResult {
  readonly deviceId: string;
  /** False: it was applied before, or a newer one was. */
  readonly applied: boolean;
  readonly accepted: Record<string, number>;
  readonly removed: number;
  readonly rejected: readonly { path: string; reason: string }[];
  readonly decisions: readonly ReportedDecision[];
  readonly policyVersion: number;
}
