import { z } from "zod";
import { POLICY_ACTIONS } from "#storage/discovery-tables";

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

const Result = z.object({
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
  wanted_texts: z
    .array(z.string())
    .describe(
      "Digests of reported skills whose SKILL.md Gatehouse does not have. Empty if the setting `discovery_skill_texts` is off",
    ),
  policy_version: z.int().describe("The version of the policy"),
  next_scan_seconds: z.int().meta({ description: "Seconds until the next scan", example: 3600 }),
});

export const ReportResult = z.object({ data: Result.describe("The result") });
