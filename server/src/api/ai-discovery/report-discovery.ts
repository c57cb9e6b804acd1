import { action } from "#api/kit/operation";
import { DiscoveryReportBody } from "./report-body.ts";
import { ReportResult } from "./report-result.ts";

const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

/**
 * Not declared as a write: concurrent reports share a transaction, and `report_id` makes a repetition harmless. A thread
 * reads the body and writes the response, so that calls do not wait for it (decision 0182).
 */
export const reportDiscovery = action({
  id: "reportDiscovery",
  route: "POST /api/ai-discovery/reports",
  tag: "AI Discovery",
  summary: "Report what a device contains",
  description:
    "For the scan agent. The body can be compressed with gzip. Values of variables and headers are never read, and secrets in arguments and URLs are removed again. A repeated `report_id` changes nothing. Responds with the decisions of the policy.",
  scope: "discovery:ingest",
  body: DiscoveryReportBody,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  acceptsGzip: true,
  readsBytes: true,
  checksTokenAgain: true,
  answers: { 200: ReportResult },
  refusals: [400],
  onCrash: "Failed to store the report",
  async run({ bytes, actor, context }) {
    return { status: 200, json: await context.discovery.ingest(bytes, actor) };
  },
});
