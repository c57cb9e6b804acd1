import type { z } from "zod";
import type { IngestResult } from "#discovery/sent-report";
import type { Settings } from "#records/settings";
import type { ReportResult } from "./report-result.ts";

/** The response to a stored report. */
export function reportAnswer(
  result: IngestResult,
  { discovery_scan_minutes: minutes }: Pick<Settings, "discovery_scan_minutes">,
  wantedTexts: readonly string[],
): z.input<typeof ReportResult> {
  const decisions = result.decisions.map(({ kind, key, policy_version: _, ...decision }) => ({
    ...{ kind, ...(kind === "skill" ? { digest: key } : { fingerprint: key }) },
    ...decision,
  }));
  const data = {
    device_id: result.deviceId,
    applied: result.applied,
    accepted: { mcp_servers: 0, skills: 0, agent_memory: 0, agents: 0, ...result.accepted },
    removed: result.removed,
    rejected: result.rejected.map(({ path, reason }) => ({ path, reason })),
    decisions,
    wanted_texts: [...wantedTexts],
    policy_version: result.policyVersion,
    next_scan_seconds: minutes * 60,
  };
  return { data };
}
