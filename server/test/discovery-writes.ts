import { itemId } from "#records/discovery";
import type { MainDb } from "#storage/database";
import { reported } from "./discovery-report.ts";
import { deviceRow, itemRow } from "./discovery-rows.ts";

const RULE = { name: "Evil", kind: "mcp_server", action: "block", match: { host: ["*.evil.example"] } };
const REVIEW = { review_status: "approved" };
const ITEMS = "/api/ai-discovery";
const RULES = "/api/ai-discovery-policy/rules";

/** Every write of AI discovery once, in an order in which each can succeed. */
export const DISCOVERY_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["updateDiscoveredMcpServer", "PATCH", `${ITEMS}/mcp-servers?fingerprint=found`, REVIEW, "both"],
  ["updateDiscoveredSkill", "PATCH", `${ITEMS}/skills?digest=found`, REVIEW, "both"],
  ["updateDiscoveredMemory", "PATCH", `${ITEMS}/agent-memory?id=found`, REVIEW, "both"],
  ["updateDiscoveredAgent", "PATCH", `${ITEMS}/agents?id=found`, REVIEW, "both"],
  ["importDiscoveredMcpServer", "POST", `${ITEMS}/mcp-servers/found/import`, { name: "Found" }, "after"],
  ["importDiscoveredSkill", "POST", `${ITEMS}/skills/found/import`, {}, "after"],
  ["updateDiscoveryDevice", "PATCH", `${ITEMS}/devices?id=laptop`, { user_email: "ada@example.com" }, "both"],
  ["deleteDiscoveryDevice", "DELETE", `${ITEMS}/devices?id=laptop`, undefined, "before"],
  ["updateDiscoveryPolicy", "PATCH", "/api/ai-discovery-policy", { notify_users: false }, "both"],
  ["orderDiscoveryRules", "PUT", `${RULES}/order`, { ids: ["rule_2", "rule_1"] }, "both"],
  ["createDiscoveryRule", "POST", RULES, RULE, "after"],
  ["updateDiscoveryRule", "PATCH", `${RULES}?id=rule_1`, { name: "Changed" }, "both"],
  ["deleteDiscoveryRule", "DELETE", `${RULES}?id=rule_1`, undefined, "before"],
];

/** What these writes need. */
export async function insertDiscoveryRows(db: MainDb): Promise<void> {
  const kinds = ["mcp_server", "skill", "agent_memory", "agent"] as const;
  const facts = { url: "https://found.example.com/mcp" };
  const items = kinds.map((kind) => itemRow(itemId(kind, "found"), { kind, key: "found", transport: "http", facts }));
  await db.insertInto("discovery_items").values(items).execute();
  const skillMd = "---\nname: found-skill\ndescription: Reads reports.\n---\nRead the report.\n";
  const skillText = { item_id: itemId("skill", "found"), skill_md: skillMd, received_at: 1 };
  await db.insertInto("discovery_skill_texts").values(skillText).execute();
  await db.insertInto("discovery_devices").values(deviceRow("laptop")).execute();
  const rule = { description: "", enabled: true, kind: "mcp_server", action: "warn", match: { name: ["x"] } } as const;
  const rest = { message: null, expires_at: null, created_at: 1, updated_at: 1 };
  const rules = [1, 2].map((position) => ({
    id: `rule_${position}`,
    position,
    name: `Rule ${position}`,
    ...rule,
    ...rest,
  }));
  await db.insertInto("discovery_rules").values(rules).execute();
}

/** Valid bodies of operations that need one. */
export const DISCOVERY_BODIES: Readonly<Record<string, object>> = {
  reportDiscovery: reported("x"),
  createDiscoveryRule: RULE,
  updateDiscoveryRule: { name: "x" },
  orderDiscoveryRules: { ids: [] },
  evaluateDiscoveryPolicy: { item: { kind: "mcp_server", name: "x" } },
  dryRunDiscoveryPolicy: {},
  updateDiscoveryDevice: { status: "retired" },
};

export const DISCOVERY_QUERIES: Readonly<Record<string, string>> = {
  updateDiscoveredMcpServer: "&fingerprint=x",
  updateDiscoveredSkill: "&digest=x",
  updateDiscoveredMemory: "&id=x",
  updateDiscoveredAgent: "&id=x",
  updateDiscoveryDevice: "&id=x",
  deleteDiscoveryDevice: "&id=x",
  updateDiscoveryRule: "&id=x",
  deleteDiscoveryRule: "&id=x",
  getEffectiveDiscoveryPolicy: "&device_id=x",
  exportDiscoveryPolicy: "&target=claude-code",
  exportDiscovery: "&kind=mcp_servers",
};
