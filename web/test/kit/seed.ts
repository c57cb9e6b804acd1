import assert from "node:assert/strict";
import type { Browser as HttpBrowser } from "#test/browser";
import { shiftableClock } from "#test/clock";
import {
  createGroup,
  createMachineUser,
  createPerson,
  createServer,
  createSyncedServer,
  type MachineUser,
} from "#test/factories";
import { seedAgents } from "#test/seed-agents";
import { seedApprovals } from "#test/seed-approvals";
import { seedDiscovery } from "#test/seed-discovery";
import { seedIssuers } from "#test/seed-issuers";
import { seedWebhooks } from "#test/seed-webhooks";
import type { OwnService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { type Installation, signIn, signInKnown, startInstallation } from "./installation.ts";
import { GROUPS, HOW_TO, MACHINES, PEOPLE, SERVERS, type SeedServer, toolOf } from "./seed-data.ts";

export interface Seeded extends Installation {
  readonly owner: HttpBrowser;
  readonly member: HttpBrowser;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** An installation with a day of activity, created through the API and with real calls. */
export async function startSeeded({ port = 0, calls = 320 } = {}): Promise<Seeded> {
  const clock = shiftableClock();
  clock.shiftMs = -DAY_MS;
  const installation = await startInstallation({ port, clock });
  const { service } = installation;
  const upstreams: RawUpstream[] = [];
  for (const name of GROUPS) await createGroup(service, name, { settings: settingsOf(name) });
  for (const server of SERVERS) upstreams.push(await addServer(service, server));
  upstreams.push(await addFailingServers(service));
  const machines = await addPeople(service);
  await connectPeople(service);
  await addToolkits(service);
  await addSkills(service);
  await addCommands(service);
  await addPlugins(service);
  await callForADay(service, machines, calls, (share) => {
    clock.shiftMs = -DAY_MS * (1 - share);
  });
  clock.shiftMs = 0;
  await seedIssuers(service, installation.database.databases.main, clock.now(), "build-bot@machine.acme.example");
  await seedDiscovery(service, clock.now(), installation.url);
  await seedAgents(service, installation.database.databases.main, clock.now());
  await seedWebhooks(installation.database.databases.main, clock.now());
  await seedApprovals(installation.database, clock.now());
  const member = await signInKnown(installation, "bruno@acme.example");
  const owner = await signIn(installation, "owner", "olivia@acme.example");
  return {
    ...installation,
    owner,
    member,
    async close() {
      await installation.close();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    },
  };
}

/** One for a group, with changes and an entry without effect, and a draft. */
async function addToolkits(service: OwnService): Promise<void> {
  const triage = {
    name: "Issue triage",
    description: "Find, read and file issues of the support team.",
    status: "active",
    groups: ["Engineering"],
    tools: [
      { server: "github", tool: "create_issue", alias: "file_issue", arguments: { fixed: { query: "acme" } } },
      { server: "linear", tool: "*" },
      { server: "github", tool: "close_stale_issues" },
    ],
  };
  for (const body of [triage, { name: "Release notes" }]) await done(service.api("POST", "/api/toolkits", body));
}

/** One with files and two versions, and a draft. */
async function addSkills(service: OwnService): Promise<void> {
  const notes = {
    name: "release-notes",
    description: "Writes release notes from merged pull requests. Use it when a release is prepared.",
    content: "# Release notes\n\n1. Run `scripts/list.sh`.\n2. Group the changes by area.\n",
    files: [
      { path: "scripts/list.sh", content: "#!/bin/sh\ngh pr list --state merged\n", executable: true },
      { path: "references/style.md", content: "# Style\n\nOne sentence per change.\n" },
    ],
    status: "active",
    groups: ["Engineering", "Everyone"],
  };
  const review = { name: "incident-review", description: "Leads an incident review.", content: "# Incident review\n" };
  for (const body of [notes, review]) await done(service.api("POST", "/api/skills", body));
  const content = `${notes.content}3. Ask for a review.\n`;
  await done(service.api("PATCH", "/api/skills?slug=release-notes", { content }));
}

/** One with arguments, and a draft. */
async function addCommands(service: OwnService): Promise<void> {
  const notes = {
    name: "Release notes",
    content: "Write release notes for version {{version}} in a {{tone}} tone.\n\nGroup the changes by area.\n",
    arguments: [
      { name: "version", description: "Such as 1.4.0", required: true },
      { name: "tone", default: "friendly", enum: ["friendly", "formal"] },
    ],
    status: "active",
    groups: ["Engineering", "Everyone"],
  };
  const review = { name: "Review", content: "Review this change: $ARGUMENTS\n" };
  for (const body of [notes, review]) await done(service.api("POST", "/api/commands", body));
}

/** One with a release and unpublished changes, and a draft. */
async function addPlugins(service: OwnService): Promise<void> {
  const tools = {
    ...{ name: "Team tools", description: "What every engineer needs", keywords: ["engineering"], category: "Work" },
    ...{ skills: ["release-notes"], commands: ["release-notes"], groups: ["Engineering", "Everyone"] },
    agents: [
      { name: "reviewer", description: "Reviews changes before they are merged", content: "Review the change." },
    ],
  };
  for (const body of [tools, { name: "Support" }]) await done(service.api("POST", "/api/plugins", body));
  await done(service.api("POST", "/api/plugins/team-tools/publish", { notes: "First release" }));
  await done(service.api("PATCH", "/api/plugins?slug=team-tools", { license: "MIT" }));
}

function settingsOf(group: string): object {
  return group === "Everyone" ? { auto_assign_users: true } : group === "Engineering" ? { show_draft_mcps: true } : {};
}

async function addServer(service: OwnService, server: SeedServer): Promise<RawUpstream> {
  const upstream = await startRawUpstream({
    tools: server.tools.map(toolOf),
    // Varying latency, and a tool that always fails.
    delayMs: (n) => (n * 37) % 140,
    behave: ({ tool }) => (tool === "get_build_logs" ? { status: 503 } : "json"),
  });
  const auth_settings = {
    authType: server.auth,
    ...(server.auth === "proxy-api-key" ? { headerName: "X-Api-Key", headerPrefix: "", howtoMarkdown: HOW_TO } : {}),
    ...(server.auth === "proxy-oauth" ? { clientId: "gatehouse", client: { scope: "read write" } } : {}),
  };
  const rest = { connector_id: server.connector, auth_settings };
  const make = server.auth === "none" ? createSyncedServer : createServer;
  const slug = await make(service, server.name, upstream.url, rest);
  for (const group of server.groups) {
    await done(service.api("POST", `/api/groups/${group}/integrations`, { slugs: [slug] }));
  }
  return upstream;
}

/** Servers that need attention: not set up, unreachable, and a draft with changed tools. */
async function addFailingServers(service: OwnService): Promise<RawUpstream> {
  await createServer(service, "PayPal", undefined, { description: "Payments and payouts" });
  const gone = await startRawUpstream();
  await gone.close();
  const dead = await createServer(service, "Warehouse", gone.url, { description: "Stock and deliveries" });
  await service.api("POST", `/api/mcp-servers/${dead}/sync`);
  const wiki = await startRawUpstream({ tools: ["search_pages", "read_page"].map(toolOf) });
  const slug = await createSyncedServer(service, "Internal wiki", wiki.url, {
    description: "Internal documentation",
    status: "draft",
  });
  await done(service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { tool_policy: "hold" }));
  const changed = { ...toolOf("read_page"), description: "Read a page and notify its author." };
  wiki.tools = [toolOf("search_pages"), changed, toolOf("delete_page")];
  await done(service.api("POST", `/api/mcp-servers/${slug}/sync`));
  await done(service.api("POST", "/api/groups/Engineering/integrations", { slugs: [slug, dead] }));
  return wiki;
}

async function addPeople(service: OwnService): Promise<MachineUser[]> {
  const owners: string[] = [];
  for (const { name, email, role, groups } of PEOPLE) {
    owners.push(await createPerson(service, name, email));
    await done(service.api("PATCH", `/api/users?email=${email}`, { role }));
    for (const group of groups) await done(service.api("POST", `/api/groups/${group}/users`, { emails: [email] }));
  }
  await done(service.api("PATCH", "/api/users?email=farid@acme.example", { risk_score: 72 }));
  await done(service.api("PATCH", "/api/users?email=grace@acme.example", { risk_score: 18 }));
  await done(service.api("PATCH", "/api/users?email=henrik@acme.example", { disabled: true }));
  await done(service.api("POST", "/api/users/invite?email=elif@acme.example"));
  await done(service.api("POST", "/api/api-tokens", { name: "Terraform", scopes: ["admin:write"] }));
  await done(service.api("POST", "/api/api-tokens", { name: "Nightly export", scopes: ["admin:read"] }));
  const machines: MachineUser[] = [];
  for (const [index, { name, groups }] of MACHINES.entries()) {
    const machine = await createMachineUser(service, name, { owner_ids: owners.slice(index, index + 1) });
    for (const group of groups) {
      await done(service.api("POST", `/api/groups/${group}/users`, { emails: [machine.email] }));
    }
    machines.push(machine);
  }
  return machines;
}

async function connectPeople(service: OwnService): Promise<void> {
  for (const [email, mcp] of [
    ["chiara@acme.example", "stripe"],
    ["grace@acme.example", "stripe"],
    ["bruno@acme.example", "hubspot"],
    ["nightly-report@machine.acme.example", "stripe"],
  ]) {
    await done(service.api("PUT", `/api/user/api-key?email=${email}&mcp=${mcp}`, { key: `key-of-${email}` }));
  }
}

/** Calls with a daily rhythm. Most of them succeed. */
async function callForADay(
  service: OwnService,
  machines: readonly MachineUser[],
  calls: number,
  setTime: (shareOfDay: number) => void,
): Promise<void> {
  const reach = MACHINES.map(({ groups }) =>
    SERVERS.filter((server) => server.auth === "none" && server.groups.some((group) => groups.includes(group))).flatMap(
      ({ connector, tools }) => tools.map((tool) => `${connector}__${tool}`),
    ),
  );
  for (let n = 0; n < calls; n++) {
    const share = n / calls;
    setTime(share + 0.06 * Math.sin(share * 4 * Math.PI));
    const who = (n * 7) % machines.length;
    const names = reach[who] ?? [];
    const stray = n % 41 === 0 ? "github__close_everything" : n % 36 === 3 ? "hubspot__list_contacts" : undefined;
    const name = stray ?? names[(n * n + 3 * n) % names.length];
    const message = { jsonrpc: "2.0", id: n, method: "tools/call", params: { name, arguments: { query: "release" } } };
    await service.mcp(machines[who]?.credential ?? "", message);
  }
}

async function done(call: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await call;
  assert.ok(status < 300, text);
}
