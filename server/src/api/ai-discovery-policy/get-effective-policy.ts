import { createHash } from "node:crypto";
import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { contextsOf } from "#discovery/decide";
import { effectivePolicy } from "#discovery/effective-policy";
import { ENFORCEMENTS } from "#policy/policy-types";
import { findDevice, findItems, instancesOfDevices, listRules, readPolicy } from "#records/discovery";
import { POLICY_ACTIONS, REVIEW_STATUSES } from "#storage/discovery-tables";

const action = z.enum(POLICY_ACTIONS);
const EffectivePolicy = z
  .object({
    version: z.int().describe("The version of the policy"),
    enforcement: z.enum(ENFORCEMENTS).describe("`monitor` or `enforce`"),
    default_actions: z
      .object({ mcp_servers: action.describe("For MCP servers"), skills: action.describe("For skills") })
      .describe("What happens to items that no rule matches"),
    always_allow_managed: z.boolean().describe("Whether managed items are always allowed"),
    notify_users: z.boolean().describe("Whether the device notifies its user"),
    rules: z
      .array(
        z.object({
          id: z.string().describe("ID of the rule"),
          name: z.string().describe("The name"),
          kind: z.enum(["mcp_server", "skill"]).describe("What it decides about"),
          action: action.describe("What it decides"),
          enabled: z.boolean().describe("Always true"),
          position: z.int().describe("The position"),
          match: z.record(z.string(), z.unknown()).describe("Its conditions"),
          message: z.string().nullable().describe("Shown to the user"),
          expires_at: z.string().nullable().describe("When it ends"),
        }),
      )
      .describe("Rules that can concern this device, in order"),
    device: z
      .object({
        id: z.string().describe("The device"),
        user: z.string().nullable().describe("The email of its user"),
        groups: z.array(z.string()).describe("The groups of its user"),
      })
      .describe("The device"),
    gateway_urls: z.array(z.string()).describe("Servers at these URLs are managed"),
    skill_digests: z.array(z.string()).describe("Skills of the device that are the organization's"),
    facts: z
      .record(
        z.string(),
        z.object({
          registered: z.boolean().optional().describe("Whether it is registered here"),
          in_registry: z.boolean().optional().describe("Whether the catalog has it"),
          review_status: z.enum(REVIEW_STATUSES).optional().describe("The result of the review"),
          risk: z.int().optional().describe("The risk"),
        }),
      )
      .describe("What only the service knows about the items of the device, by fingerprint or digest"),
  })
  .meta({ id: "EffectiveDiscoveryPolicy", description: "The policy for one device" });

/** Families 10. */
export const getEffectiveDiscoveryPolicy = read({
  id: "getEffectiveDiscoveryPolicy",
  route: "GET /api/ai-discovery-policy/effective",
  tag: "AI Discovery Policy",
  summary: "Get the policy for a device",
  description:
    "For the scan agent. Contains only rules that can concern the device. With the `ETag` of an earlier response in `If-None-Match`, responds with 304 if nothing changed.",
  scope: "discovery:ingest",
  query: { device_id: targetParameter("The device, as the response to its report names it") },
  answers: { 200: z.object({ data: EffectivePolicy }) },
  refusals: [400],
  onCrash: "Failed to retrieve the policy",
  async run({ db, query, context }) {
    const row = await readPolicy(db);
    const rules = await listRules(db);
    const device = await findDevice(db, query.device_id);
    const now = context.clock.now();
    const withGroups = { deviceConditions: ["groups"] } as const;
    const [who] = device ? [...(await contextsOf(db, [device], now, withGroups)).values()] : [];
    const instances = device ? await instancesOfDevices(db, [device.id]) : [];
    const present = instances.filter(
      ({ kind, removed_at }) => removed_at === null && (kind === "mcp_server" || kind === "skill"),
    );
    const items = [...(await findItems(db, [...new Set(present.map(({ item_id }) => item_id))])).values()];
    const data = effectivePolicy({
      ...{ row, rules, items, context: who ?? { now, device_id: query.device_id }, deviceId: query.device_id },
      ...{ known: await context.discovery.known(db, items), gatewayUrls: context.discovery.gatewayUrls },
    });
    const body = { data: plain(data) };
    const digest = createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 16);
    return { status: 200, body, etag: `"${row.version}.${digest}"` };
  },
});

/** The shared type is read-only throughout, and responses are not. */
function plain(policy: ReturnType<typeof effectivePolicy>): z.input<typeof EffectivePolicy> {
  return structuredClone(policy) as z.input<typeof EffectivePolicy>;
}
