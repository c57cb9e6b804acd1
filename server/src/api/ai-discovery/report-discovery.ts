import { z } from "zod";
import { action } from "#api/kit/operation";
import { readSettings } from "#records/settings";
import { POLICY_ACTIONS } from "#storage/discovery-tables";
import { DiscoveryReportBody } from "./report-body.ts";

const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

const count = (what: string) => z.int().describe(`Accepted ${what}`);
const DiscoveryDecision = z
  .object({
    kind: z.enum(["mcp_server", "skill"]).describe("The kind of item"),
    fingerprint: z.string().optional().describe("The MCP server"),
    digest: z.string().optional().describe("The skill"),
    name: z.string().describe("Its name on this device"),
    client: z.string().describe("The client that has it"),
    action: z.enum(POLICY_ACTIONS).describe("What the policy decides"),
    rule_id: z.string().nullable().describe("The rule; `managed`: it points to this gateway; null: the default action"),
    rule_name: z.string().nullable().describe("The name of the rule"),
    reason: z.string().describe("Why, in one sentence"),
    message: z.string().nullable().describe("The rule's message to the user"),
  })
  .meta({ id: "DiscoveryDecision", description: "A decision about one reported item" });

const ReportResult = z.object({
  device_id: z.string().describe("The device, for `GET /api/ai-discovery-policy/effective`"),
  applied: z
    .boolean()
    .describe("Whether the report changed the inventory. False: it or a newer report was applied before"),
  accepted: z
    .object({
      mcp_servers: count("MCP servers"),
      skills: count("skills"),
      agent_memory: count("memory files"),
      agents: count("agents"),
    })
    .describe("Accepted items by kind"),
  removed: z.int().describe("Items that are no longer on the device"),
  rejected: z
    .array(
      z.object({
        path: z.string().meta({ description: "The faulty field", example: "mcp_servers.3.name" }),
        reason: z.string().describe("What is wrong with it"),
      }),
    )
    .describe("Entries that were not accepted"),
  decisions: z.array(DiscoveryDecision).describe("What the policy decides about the reported MCP servers and skills"),
  policy_version: z.int().describe("The version of the policy"),
  next_scan_seconds: z.int().meta({ description: "Seconds until the next scan", example: 3600 }),
});

/** Not declared as a write: concurrent reports share a transaction, and `report_id` makes a repetition harmless. */
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
  answers: { 200: z.object({ data: ReportResult.describe("The result") }) },
  refusals: [400],
  onCrash: "Failed to store the report",
  async run({ db, body, actor, context }) {
    const result = await context.discovery.ingest(body, actor);
    const { discovery_scan_minutes: minutes } = await readSettings(db);
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
      policy_version: result.policyVersion,
      next_scan_seconds: minutes * 60,
    };
    return { status: 200, body: { data } };
  },
});
