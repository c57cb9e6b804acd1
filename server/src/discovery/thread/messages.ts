import type { Refusal } from "#lib/errors";
import type { EmittedEvent } from "#storage/event-outbox";
import type { SharedTransaction, StatementFailure } from "#storage/shared-transaction";
import type { GivenReport } from "../check-report.ts";
import type { CheckedReport } from "../report.ts";
import type { IngestResult, SentReport } from "../sent-report.ts";

export interface ReportWorkerData {
  /** Servers at these URLs are managed. */
  readonly gatewayUrls: readonly string[];
  /** Of the built-in connectors, by endpoint. */
  readonly connectorIds: ReadonlyMap<string, string>;
}

export interface UncheckedReport {
  /** What the content does not have. */
  readonly identity: Pick<GivenReport, "report_id" | "scanned_at">;
  /** A string, because it is copied faster than the objects that it describes. */
  readonly text: string;
}

/** A report as the thread stores it. */
export interface ReportToStore extends Pick<SentReport, "head" | "digest" | "actor"> {
  /** The number of an earlier request to check it, or what such a request would contain, or the result. */
  readonly content: number | UncheckedReport | CheckedReport;
}

export type ThreadRequest =
  | { readonly kind: "check"; readonly id: number; readonly report: UncheckedReport }
  | { readonly kind: "forget"; readonly checked: number }
  | {
      readonly kind: "store";
      readonly id: number;
      readonly now: number;
      readonly reports: readonly ReportToStore[];
      readonly transaction: SharedTransaction;
    };

export interface StoredReports {
  /** In the order of the reports. */
  readonly results: readonly IngestResult[];
  readonly events: readonly EmittedEvent[];
}

export interface ThreadFailure {
  readonly message: string;
  readonly refusal?: Refusal["kind"] | undefined;
  readonly statement?: StatementFailure | undefined;
}

export type ThreadAnswer =
  | { readonly kind: "checked"; readonly id: number }
  | { readonly kind: "stored"; readonly id: number; readonly stored: StoredReports }
  | { readonly kind: "failed"; readonly id: number; readonly failure: ThreadFailure };
