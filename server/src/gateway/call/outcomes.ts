import type { Outcome } from "../call-log/record.ts";
import type { UpstreamFailureKind } from "../upstream/failure.ts";

export const OUTCOME_OF_FAILURE: Readonly<Record<UpstreamFailureKind, Outcome>> = {
  unreachable: "upstream_failed",
  refused: "upstream_failed",
  timeout: "timeout",
  "bad-answer": "upstream_failed",
  "too-large": "upstream_failed",
  status: "upstream_failed",
  unauthorized: "upstream_failed",
  busy: "upstream_failed",
  "not-connected": "not_connected",
  cancelled: "cancelled",
};
