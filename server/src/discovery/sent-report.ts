import type { Decision } from "#policy/policy-types";
import type { Actor } from "#storage/transaction";
import type { GivenReport } from "./check-report.ts";
import type { CheckedReport } from "./report.ts";
import type { ReportContent } from "./report-content.ts";

export interface SentReport {
  readonly given: GivenReport;
  /** Undefined if it is too deep. */
  readonly content: ReportContent | undefined;
  /** Undefined: it seems to have the content of the last report, which needs no check. */
  readonly checked: CheckedReport | undefined;
  readonly actor: Actor;
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
