import type { GivenReport } from "../check-report.ts";
import type { CheckedReport } from "../report.ts";

export interface CheckRequest {
  readonly id: number;
  /** What the content does not have. */
  readonly head: Pick<GivenReport, "report_id" | "scanned_at">;
  /** A string, because it is copied faster than the objects that it describes. */
  readonly content: string;
}

export type CheckAnswer =
  | { readonly id: number; readonly report: CheckedReport }
  | { readonly id: number; readonly error: string };
