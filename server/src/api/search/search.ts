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
import { searchLogDestinations } from "#records/log-destinations";
import { searchServers, serverNames } from "#records/mcp-servers";
import { searchPlugins } from "#records/plugins";
import { type FoundTool, parseToolSearch, searchTools } from "#records/server-tools";
import { searchSkills } from "#records/skills";
import { searchToolkits } from "#records/toolkits";
import { type FoundUser, searchUsers } from "#records/users";
import { searchWebhooks } from "#records/webhooks";
import type { MainDb } from "#storage/database";
import { parseSearch, type SearchTerms } from "#storage/search";
import { DESCRIPTION_START, Found } from "./found.ts";

const LONGEST_QUERY = 200;
const DEFAULT_LIMIT = 5;

export const search = read({
  id: "search",
  route: "GET /api/search",
  tag: "Search",
  summary:
    "Search servers, tools, users, groups, toolkits, skills, commands, plugins, agents, guards, approvals, webhooks, log destinations, trusted issuers, and discovered items and devices",
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
    const [servers, tools, users, machines, groups, approvals, discovered, devices, named] = await Promise.all([
      searchServers(db, terms, limit),
      searchTools(db, parseToolSearch(q), limit),
      searchUsers(db, { terms, isMachineUser: false }, limit),
      searchUsers(db, { terms, isMachineUser: true }, limit),
      searchGroups(db, terms, limit),
      searchApprovals(db, terms, now, limit),
      searchItems(db, terms, limit),
      searchDevices(db, terms, limit),
      searchNamed(db, terms, limit),
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
      ...named,
      approvals: approvals.map((row) => {
        const { id, tool, server_name, user_email } = row;
        return { id, tool, server_name, user_email, status: statusOf(row, now) };
      }),
      discovered,
      devices: devices.map((row) => ({ id: row.id, hostname: row.hostname, user_email: emailOf(row) })),
    };
    return { status: 200, body: { data } };
  },
});

/** Kinds whose results are shown as they are stored. */
async function searchNamed(db: MainDb, terms: SearchTerms, limit: number) {
  const [toolkits, skills, commands, plugins, agents, guards, webhooks, destinations, issuers] = await Promise.all([
    searchToolkits(db, terms, limit),
    searchSkills(db, terms, limit),
    searchCommands(db, terms, limit),
    searchPlugins(db, terms, limit),
    searchAgents(db, terms, limit),
    searchGuards(db, terms, limit),
    searchWebhooks(db, terms, limit),
    searchLogDestinations(db, terms, limit),
    searchProviders(db, terms, limit),
  ]);
  return {
    toolkits: toolkits.map(({ slug, name, status }) => ({ slug, name, status })),
    ...{ skills, commands, plugins, agents },
    guards: guards.map(({ slug, name, enabled }) => ({ slug, name, enabled })),
    webhooks: webhooks.map(({ id, name, enabled }) => ({ id, name, enabled })),
    log_destinations: destinations,
    issuers: issuers.map(({ slug, name, enabled }) => ({ slug, name, enabled })),
  };
}

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
