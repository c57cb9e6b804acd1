import type { Schemas } from "#openapi/types";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { LIMIT, type Noun, SEARCH, verb } from "../verb.ts";
import { EXPORT_TIMEOUT_SECONDS, writeExport } from "../write-export.ts";
import { deviceVerbs } from "./discovery-devices.ts";
import { instances, reviews } from "./discovery-items.ts";

const ACTION = { type: "choice", choices: ["allow", "warn", "block"], description: "action of the policy" } as const;
const REVIEW = {
  type: "choice",
  choices: ["unreviewed", "approved", "rejected", "ignored"],
  description: "result of the review",
} as const;
const ITEM_OPTIONS = {
  search: SEARCH,
  action: ACTION,
  review: REVIEW,
  client: { type: "text", hint: "client", description: "client such as cursor" },
  device: { type: "text", hint: "id", description: "ID of a device" },
  "min-risk": { type: "number", hint: "n", description: "lowest risk, 1 to 100" },
  removed: { type: "flag", description: "include items that no device has anymore" },
  limit: LIMIT,
} as const;

interface ItemOptions {
  readonly search: string | undefined;
  readonly action: "allow" | "warn" | "block" | undefined;
  readonly review: "unreviewed" | "approved" | "rejected" | "ignored" | undefined;
  readonly client: string | undefined;
  readonly device: string | undefined;
  readonly "min-risk": number | undefined;
  readonly removed: boolean | undefined;
}

function filtersOf({ search, action, review, client, device, removed, ...rest }: ItemOptions) {
  const risk = rest["min-risk"];
  return given({
    search,
    action,
    review_status: review,
    client,
    device_id: device,
    min_risk: risk,
    include_removed: removed,
  });
}

const SERVER_COLUMNS: Columns<Schemas["DiscoveredMcpServer"]> = {
  NAME: (item) => item.name,
  ACTION: (item) => item.action,
  RISK: (item) => item.risk.score,
  DEVICES: (item) => item.devices_count,
  CLIENTS: (item) => item.clients,
  MANAGED: (item) => item.managed,
  TARGET: (item) => item.url ?? item.package ?? item.command,
  FINGERPRINT: (item) => item.fingerprint,
};

const NOTHING = "Nothing was discovered. Roll out the scan agent first: see the guide on AI discovery.";

const summary = verb({
  description: "Summarize what was discovered",
  example: "gatehouse discovery summary",
  async run({ api, out }) {
    out.record((await api().getDiscoverySummary()).data);
  },
});

const servers = verb({
  description: "List discovered MCP servers",
  options: { ...ITEM_OPTIONS, unmanaged: { type: "flag", description: "only servers that do not use this gateway" } },
  example: "gatehouse discovery servers --unmanaged --min-risk 40",
  async run({ api, options, out }) {
    const client = api();
    const query = { ...filtersOf(options), ...(options.unmanaged ? { managed: "false" as const } : {}) };
    const rows = await readSkipping(options.limit, (page) =>
      client.listDiscoveredMcpServers({ query: { ...query, ...page } }),
    );
    out.list(rows, SERVER_COLUMNS, NOTHING);
  },
});

const skills = verb({
  description: "List discovered skills",
  options: ITEM_OPTIONS,
  example: "gatehouse discovery skills --search pdf",
  async run({ api, options, out }) {
    const client = api();
    const query = filtersOf(options);
    const rows = await readSkipping(options.limit, (page) =>
      client.listDiscoveredSkills({ query: { ...query, ...page } }),
    );
    const columns: Columns<Schemas["DiscoveredSkill"]> = {
      NAME: (item) => item.name,
      ACTION: (item) => item.action,
      RISK: (item) => item.risk.score,
      DEVICES: (item) => item.devices_count,
      ISSUES: (item) => item.issues,
      DIGEST: (item) => item.digest,
    };
    out.list(rows, columns, NOTHING);
  },
});

const memory = verb({
  description: "List discovered instructions, rules and memory of agents",
  options: ITEM_OPTIONS,
  example: "gatehouse discovery memory --client claude-code",
  async run({ api, options, out }) {
    const client = api();
    const query = filtersOf(options);
    const rows = await readSkipping(options.limit, (page) =>
      client.listDiscoveredAgentMemory({ query: { ...query, ...page } }),
    );
    const columns: Columns<Schemas["DiscoveredMemory"]> = {
      PATH: (item) => item.path,
      KIND: (item) => item.kind,
      RISK: (item) => item.risk.score,
      DEVICES: (item) => item.devices_count,
      ID: (item) => item.id,
    };
    out.list(rows, columns, NOTHING);
  },
});

const agents = verb({
  description: "List discovered AI agents",
  options: ITEM_OPTIONS,
  example: "gatehouse discovery agents",
  async run({ api, options, out }) {
    const client = api();
    const query = filtersOf(options);
    const rows = await readSkipping(options.limit, (page) =>
      client.listDiscoveredAgents({ query: { ...query, ...page } }),
    );
    const columns: Columns<Schemas["DiscoveredAgent"]> = {
      NAME: (item) => item.name,
      KIND: (item) => item.kind,
      DEVICES: (item) => item.devices_count,
      ID: (item) => item.id,
    };
    out.list(rows, columns, NOTHING);
  },
});

const devices = verb({
  description: "List devices that report",
  options: {
    search: SEARCH,
    status: { type: "choice", choices: ["active", "stale", "retired"], description: "status of the device" },
    limit: LIMIT,
  },
  example: "gatehouse discovery devices --status stale",
  async run({ api, options: { search, status, limit }, out }) {
    const client = api();
    const query = given({ search, status });
    const rows = await readSkipping(limit, (page) => client.listDiscoveryDevices({ query: { ...query, ...page } }));
    const columns: Columns<Schemas["DiscoveryDevice"]> = {
      ID: (device) => device.id,
      HOST: (device) => device.hostname,
      OS: (device) => device.os,
      USER: (device) => device.user_email,
      STATUS: (device) => device.status,
      SERVERS: (device) => device.counts.mcp_servers,
      "LAST SEEN": (device) => device.last_seen,
      WARNINGS: (device) => device.warnings,
    };
    out.list(rows, columns, NOTHING);
  },
});

const violations = verb({
  description: "List what violates the policy",
  options: {
    action: { type: "choice", choices: ["warn", "block"], description: "action of the policy" },
    device: { type: "text", hint: "id", description: "ID of a device" },
    all: { type: "flag", description: "also resolved ones" },
    limit: LIMIT,
  },
  example: "gatehouse discovery violations --action block",
  async run({ api, options: { action, device, all, limit }, out }) {
    const client = api();
    const query = given({ action, device_id: device, status: all ? undefined : ("open" as const) });
    const rows = await readSkipping(limit, (page) => client.listDiscoveryViolations({ query: { ...query, ...page } }));
    const columns: Columns<Schemas["DiscoveryViolation"]> = {
      SINCE: (violation) => violation.first_seen,
      ACTION: (violation) => violation.action,
      NAME: (violation) => violation.name,
      CLIENT: (violation) => violation.client,
      HOST: (violation) => violation.hostname,
      USER: (violation) => violation.user_email,
      RULE: (violation) => violation.rule_name,
      STATE: ({ quarantined, resolved_at: resolved }) =>
        quarantined ? "Quarantined" : resolved === null ? "Present" : "Resolved",
      RESOLVED: (violation) => violation.resolved_at,
    };
    out.list(rows, columns, "No violations.");
  },
});

const importServer = verb({
  description: "Create a draft server from a discovered remote MCP server",
  args: ["fingerprint"],
  options: {
    name: { type: "text", hint: "name", description: "name of the new server" },
    group: { type: "list", hint: "group", description: "group that gets the server; repeat for more" },
  },
  example: "gatehouse discovery import sha256:… --group Engineering",
  async run({ api, args, options: { name, group }, out }) {
    const body = given({ name, groups: group });
    const { data } = await api().importDiscoveredMcpServer({ path: { fingerprint: args.fingerprint }, body });
    out.say(`Created draft server \`${data.slug}\`.`);
    out.record(data);
  },
});

const importSkill = verb({
  description: "Create a draft skill from a discovered skill whose text a device sent",
  args: ["digest"],
  options: { group: { type: "list", hint: "group", description: "group that gets the skill; repeat for more" } },
  example: "gatehouse discovery import-skill sha256:… --group Engineering",
  async run({ api, args, options: { group }, out }) {
    const body = given({ groups: group });
    const { data, warnings = [] } = await api().importDiscoveredSkill({ path: { digest: args.digest }, body });
    out.say(`Created draft skill \`${data.slug}\`.`);
    for (const warning of warnings) out.say(`Warning: ${warning}`);
    out.record(data);
  },
});

const exportAll = verb({
  description: "Export discovered items or devices to standard output",
  args: ["kind"],
  options: { format: { type: "choice", choices: ["json", "csv"], description: "file format; default: json" } },
  example: "gatehouse discovery export mcp_servers --format csv",
  timeoutSeconds: EXPORT_TIMEOUT_SECONDS,
  async run({ args, options: { format }, download, out }) {
    await writeExport(out, await download("exportDiscovery", { query: { kind: args.kind, ...given({ format }) } }));
  },
});

export const discovery: Noun = {
  description: "AI tools on the devices of the organization",
  verbs: {
    ...{ summary, servers, skills, memory, agents, instances, ...reviews },
    ...{ devices, ...deviceVerbs, violations },
    ...{ import: importServer, "import-skill": importSkill, export: exportAll },
  },
  example: "gatehouse discovery servers --unmanaged",
};
