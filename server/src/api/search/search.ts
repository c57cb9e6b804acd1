import { z } from "zod";
import { read } from "#api/kit/operation";
import { numberParameter, targetParameter } from "#api/kit/parameters";
import { statusOf } from "#api/presenters/approval";
import { serverLogoUrl } from "#api/presenters/logo-url";
import { invalid } from "#lib/errors";
import { searchAgents } from "#records/agents";
import { searchApprovals } from "#records/approvals";
import { searchProviders } from "#records/auth-exchange";
import { searchCommands } from "#records/commands";
import { emailOf, searchDevices, searchItems } from "#records/discovery";
import { searchGroups } from "#records/groups";
import { searchGuards } from "#records/guards";
import { searchServers, serverNames } from "#records/mcp-servers";
import { searchPlugins } from "#records/plugins";
import { type FoundTool, parseToolSearch, searchTools } from "#records/server-tools";
import { searchSkills } from "#records/skills";
import { searchToolkits } from "#records/toolkits";
import { type FoundUser, searchUsers } from "#records/users";
import { searchWebhooks } from "#records/webhooks";
import { APPROVAL_STATUSES } from "#storage/approval-tables";
import type { MainDb } from "#storage/database";
import { DISCOVERY_KINDS } from "#storage/discovery-tables";
import { parseSearch } from "#storage/search";

const LONGEST_QUERY = 200;
const DEFAULT_LIMIT = 5;
/** Descriptions of tools can be long. */
const DESCRIPTION_START = 160;

const logoUrl = z.string().meta({ description: "Logo, served by Gatehouse", format: "uri" });
const Person = z.object({
  name: z.string().meta({ description: "Display name", example: "Ada Lovelace" }),
  email: z.string().meta({ description: "The user's email", example: "ada@example.com" }),
  disabled: z.boolean().describe("Whether the user is disabled"),
});
const Found = z
  .object({
    servers: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The server's slug", example: "github" }),
          name: z.string().meta({ description: "Display name", example: "GitHub" }),
          status: z.enum(["active", "draft"]).describe("A `draft` is only visible to groups with `show_draft_mcps`"),
          logo_url: logoUrl,
        }),
      )
      .describe("MCP servers, by slug, name or description"),
    tools: z
      .array(
        z.object({
          server_slug: z.string().meta({ description: "The slug of its server", example: "github" }),
          server_name: z.string().meta({ description: "Display name of its server", example: "GitHub" }),
          slug: z.string().meta({ description: "The part after `__` in its gateway name" }),
          name: z.string().meta({ description: "Title, or the name at the server" }),
          description: z.string().describe(`The first ${DESCRIPTION_START} characters of the description`),
          enabled: z.boolean().describe("Whether callers can see it: enabled and not held for review"),
          logo_url: logoUrl,
        }),
      )
      .describe("Tools, by slug or title, including disabled ones"),
    users: z.array(Person).describe("People, by name or email"),
    machine_users: z
      .array(Person.extend({ slug: z.string().meta({ description: "Its slug", example: "nightly-job" }) }))
      .describe("Machine users, by name or email"),
    groups: z
      .array(z.object({ name: z.string().meta({ description: "The group's name", example: "Engineering" }) }))
      .describe("Groups, by name"),
    toolkits: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The toolkit's slug", example: "triage" }),
          name: z.string().meta({ description: "Display name", example: "Issue triage" }),
          status: z.enum(["active", "draft"]).describe("Only active toolkits reach callers"),
        }),
      )
      .describe("Toolkits, by slug, name or description"),
    skills: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The skill's name", example: "release-notes" }),
          description: z.string().describe("What it does"),
          status: z.enum(["active", "draft"]).describe("Only active skills reach callers"),
        }),
      )
      .describe("Skills, by name or description"),
    commands: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The command's slug", example: "release-notes" }),
          name: z.string().meta({ description: "Display name", example: "Release notes" }),
          status: z.enum(["active", "draft"]).describe("Only active commands reach callers"),
        }),
      )
      .describe("Commands, by slug, name or description"),
    plugins: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The plugin's slug", example: "engineering" }),
          name: z.string().meta({ description: "Display name", example: "Engineering" }),
          status: z.enum(["active", "draft"]).describe("Only active plugins reach callers"),
        }),
      )
      .describe("Plugins, by slug, name or description"),
    agents: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The agent's slug", example: "triage" }),
          name: z.string().meta({ description: "Display name", example: "Issue triage" }),
          status: z.enum(["draft", "active", "paused"]).describe("Only active agents start sessions"),
        }),
      )
      .describe("Background agents, by slug, name or description"),
    guards: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The guard's slug", example: "payment-cards" }),
          name: z.string().meta({ description: "Display name", example: "Payment cards" }),
          enabled: z.boolean().describe("Whether the guard is on"),
        }),
      )
      .describe("Guards, by slug, name or description"),
    approvals: z
      .array(
        z.object({
          id: z.string().describe("The approval's ID"),
          tool: z.string().meta({ description: "The tool of the held call", example: "refund" }),
          server_name: z.string().meta({ description: "Display name of its server", example: "Stripe" }),
          user_email: z.string().meta({ description: "The caller", example: "ada@example.com" }),
          status: z.enum(APPROVAL_STATUSES).describe("Whether and how it was decided"),
        }),
      )
      .describe("Approvals of held calls, by caller, tool, server, guard or ID; pending ones first"),
    webhooks: z
      .array(
        z.object({
          id: z.string().describe("The webhook's ID"),
          name: z.string().meta({ description: "Its name", example: "On-call" }),
          enabled: z.boolean().describe("Whether events are sent"),
        }),
      )
      .describe("Webhooks, by name"),
    issuers: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The issuer's slug", example: "github-actions" }),
          name: z.string().meta({ description: "Display name", example: "GitHub Actions" }),
          enabled: z.boolean().describe("Whether its tokens are exchanged"),
        }),
      )
      .describe("Trusted issuers, by slug, name or issuer"),
    discovered: z
      .array(
        z.object({
          kind: z.enum(DISCOVERY_KINDS).describe("What it is"),
          key: z.string().describe("Its fingerprint, digest or ID in the inventory"),
          name: z.string().meta({ description: "Its most frequent name", example: "github" }),
          devices_count: z.int().describe("Number of devices that have it"),
        }),
      )
      .describe("Items that devices reported, by name, URL, command, package, path or description"),
    devices: z
      .array(
        z.object({
          id: z.string().describe("The device's ID"),
          hostname: z.string().meta({ description: "Its name", example: "ada-laptop" }),
          user_email: z.string().nullable().describe("Its user"),
        }),
      )
      .describe("Devices that report AI tools, by name, ID or user"),
  })
  .meta({ id: "Found", description: "Search results by kind, best match first" });

export const search = read({
  id: "search",
  route: "GET /api/search",
  tag: "Search",
  summary:
    "Search servers, tools, users, groups, toolkits, skills, commands, plugins, agents, guards, approvals, webhooks, trusted issuers, and discovered items and devices",
  description:
    "Case-insensitive. A result contains all words of the query. Exact matches come first, then matches at the start, then others. `github__create_issue` finds a tool by its gateway name.",
  scope: "admin:read",
  query: {
    q: targetParameter(`Search text, at most ${LONGEST_QUERY} characters`, "issue"),
    limit: numberParameter(`Maximum number of results per kind. Default: ${DEFAULT_LIMIT}`, {
      minimum: 1,
      maximum: 20,
    }),
  },
  answers: { 200: z.object({ data: Found }) },
  refusals: [400],
  onCrash: "Failed to search",
  async run({ db, query: { q, limit = DEFAULT_LIMIT }, context }) {
    if (q.length > LONGEST_QUERY) throw invalid("q", `must be at most ${LONGEST_QUERY} characters`);
    const terms = parseSearch(q);
    const now = context.clock.now();
    const [
      servers,
      tools,
      users,
      machines,
      groups,
      toolkits,
      skills,
      commands,
      plugins,
      agents,
      guards,
      approvals,
      webhooks,
      issuers,
      discovered,
      devices,
    ] = await Promise.all([
      searchServers(db, terms, limit),
      searchTools(db, parseToolSearch(q), limit),
      searchUsers(db, { terms, isMachineUser: false }, limit),
      searchUsers(db, { terms, isMachineUser: true }, limit),
      searchGroups(db, terms, limit),
      searchToolkits(db, terms, limit),
      searchSkills(db, terms, limit),
      searchCommands(db, terms, limit),
      searchPlugins(db, terms, limit),
      searchAgents(db, terms, limit),
      searchGuards(db, terms, limit),
      searchApprovals(db, terms, now, limit),
      searchWebhooks(db, terms, limit),
      searchProviders(db, terms, limit),
      searchItems(db, terms, limit),
      searchDevices(db, terms, limit),
    ]);
    const { baseUrl } = context;
    const data = {
      servers: servers.map((row) => {
        return { slug: row.slug, name: row.name, status: row.status, logo_url: serverLogoUrl(row, baseUrl) };
      }),
      tools: await presentTools(db, tools, baseUrl),
      users: users.map(presentUser),
      machine_users: machines.map((user) => ({ ...presentUser(user), slug: user.slug ?? "" })),
      groups: groups.map(({ name }) => ({ name })),
      toolkits: toolkits.map(({ slug, name, status }) => ({ slug, name, status })),
      skills,
      commands,
      plugins,
      agents,
      guards: guards.map(({ slug, name, enabled }) => ({ slug, name, enabled })),
      approvals: approvals.map((row) => {
        const { id, tool, server_name, user_email } = row;
        return { id, tool, server_name, user_email, status: statusOf(row, now) };
      }),
      webhooks: webhooks.map(({ id, name, enabled }) => ({ id, name, enabled })),
      issuers: issuers.map(({ slug, name, enabled }) => ({ slug, name, enabled })),
      discovered,
      devices: devices.map((row) => ({ id: row.id, hostname: row.hostname, user_email: emailOf(row) })),
    };
    return { status: 200, body: { data } };
  },
});

async function presentTools(
  db: MainDb,
  tools: readonly FoundTool[],
  baseUrl: string,
): Promise<z.input<typeof Found>["tools"]> {
  const servers = await serverNames(db, [...new Set(tools.map((tool) => tool.server_id))]);
  return tools.flatMap((tool) => {
    const server = servers.get(tool.server_id);
    // The server was deleted meanwhile.
    if (!server) return [];
    return {
      server_slug: server.slug,
      server_name: server.name,
      slug: tool.slug,
      name: tool.title,
      description: tool.description.slice(0, DESCRIPTION_START).toWellFormed(),
      enabled: tool.enabled && !tool.held,
      logo_url: serverLogoUrl(server, baseUrl),
    };
  });
}

function presentUser({ name, email, disabled }: FoundUser) {
  return { name, email, disabled };
}
