import { z } from "zod";
import { read } from "#api/kit/operation";
import {
  countDevices,
  countNewItems,
  countOpenViolations,
  groupItems,
  type ItemGroup,
  topClients,
} from "#records/discovery";
import { DISCOVERY_KINDS, type DiscoveryKind, POLICY_ACTIONS } from "#storage/discovery-tables";
import { staleBefore } from "./present.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 7;
const MOST_CLIENTS = 20;
const count = (what: string) => z.int().describe(what);

const KindSummary = z.object({
  total: count("Items that devices have now"),
  new_7d: count("Items that were first seen in the last 7 days"),
  unreviewed: count("Items without a review"),
  managed: count("Items that are managed here"),
  by_action: z
    .object({
      allow: count("Allowed"),
      warn: count("Warned about"),
      block: count("Blocked"),
    })
    .describe("Items by action of the policy"),
  by_risk: z
    .object({
      none: count("Risk 0"),
      low: count("Risk 1 to 24"),
      medium: count("Risk 25 to 49"),
      high: count("Risk 50 to 100"),
    })
    .describe("Items by risk"),
});

const Summary = z.object({
  mcp_servers: KindSummary.describe("MCP servers"),
  skills: KindSummary.describe("Skills"),
  agent_memory: KindSummary.describe("Instructions, rules and memory of agents"),
  agents: KindSummary.describe("Installed agents"),
  devices: z
    .object({ active: count("Active"), stale: count("Stale"), retired: count("Retired") })
    .describe("Devices by status"),
  violations: z.object({ warn: count("Warnings"), block: count("Blocked items") }).describe("Open violations"),
  unmanaged_percent: z
    .number()
    .describe("Share of MCP servers that do not use this gateway, by devices that have them"),
  top_clients: z
    .array(z.object({ client: z.string().describe("The client"), count: count("Items in it, on all devices") }))
    .describe("Clients with the most items"),
  new_by_day: z
    .array(
      z.object({
        date: z.string().meta({ description: "The day (UTC)", example: "2027-01-31" }),
        mcp_servers: count("New MCP servers"),
        skills: count("New skills"),
      }),
    )
    .describe("New items of the last 7 days"),
});

/** Families 9. */
export const getDiscoverySummary = read({
  id: "getDiscoverySummary",
  route: "GET /api/ai-discovery/summary",
  tag: "AI Discovery",
  summary: "Get a summary of what was discovered",
  description: "Counts of items that devices have now, by kind, action and risk.",
  scope: "admin:read",
  answers: { 200: z.object({ data: Summary.describe("The summary") }) },
  refusals: [],
  onCrash: "Failed to summarize AI discovery",
  async run({ db, context }) {
    const now = context.clock.now();
    const today = Math.floor(now / DAY_MS);
    const stale = await staleBefore(db, now);
    const [groups, clients, found, devices, violations] = await Promise.all([
      groupItems(db),
      topClients(db, MOST_CLIENTS),
      countNewItems(db, today - DAYS + 1),
      countDevices(db, stale),
      countOpenViolations(db),
    ]);
    const newOf = (kind: DiscoveryKind, day?: number) =>
      found.reduce((sum, row) => (row.kind === kind && (day ?? row.day) === row.day ? sum + row.items : sum), 0);
    const [servers, skills, memory, agents] = DISCOVERY_KINDS.map((kind) => kindSummary(groups, kind, newOf(kind)));
    if (!servers || !skills || !memory || !agents) throw new Error("a kind of item is missing");
    const new_by_day = Array.from({ length: DAYS }, (_, index) => {
      const day = today - DAYS + 1 + index;
      const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
      return { date, mcp_servers: newOf("mcp_server", day), skills: newOf("skill", day) };
    });
    const data = {
      ...{ mcp_servers: servers, skills, agent_memory: memory, agents, devices, violations },
      ...{ unmanaged_percent: unmanagedPercent(groups), top_clients: clients, new_by_day },
    };
    return { status: 200, body: { data } };
  },
});

function kindSummary(all: readonly ItemGroup[], kind: DiscoveryKind, new_7d: number): z.input<typeof KindSummary> {
  const groups = all.filter((group) => group.kind === kind);
  const sum = (isCounted: (group: ItemGroup) => boolean) =>
    groups.reduce((total, group) => (isCounted(group) ? total + group.items : total), 0);
  const [allow = 0, warn = 0, block = 0] = POLICY_ACTIONS.map((action) => sum((group) => group.action === action));
  return {
    total: sum(() => true),
    new_7d,
    unreviewed: sum(({ review }) => review === "unreviewed"),
    managed: sum(({ managed }) => managed),
    by_action: { allow, warn, block },
    by_risk: {
      none: sum(({ risk }) => risk === 0),
      low: sum(({ risk }) => risk > 0 && risk < 25),
      medium: sum(({ risk }) => risk >= 25 && risk < 50),
      high: sum(({ risk }) => risk >= 50),
    },
  };
}

function unmanagedPercent(groups: readonly ItemGroup[]): number {
  const servers = groups.filter(({ kind }) => kind === "mcp_server");
  const sum = (of: readonly ItemGroup[]) => of.reduce((total, { instances }) => total + instances, 0);
  const total = sum(servers);
  return total === 0 ? 0 : Math.round((1000 * sum(servers.filter(({ managed }) => !managed))) / total) / 10;
}
