import { z } from "zod";
import { read } from "#api/kit/operation";
import { numberParameter, targetParameter } from "#api/kit/parameters";
import { serverLogoUrl } from "#api/presenters/logo-url";
import { invalid } from "#lib/errors";
import { searchGroups } from "#records/groups";
import { searchServers, serverNames } from "#records/mcp-servers";
import { type FoundTool, parseToolSearch, searchTools } from "#records/server-tools";
import { type FoundUser, searchUsers } from "#records/users";
import type { MainDb } from "#storage/database";
import { parseSearch } from "#storage/search";

const LONGEST_QUERY = 200;
const HITS = 5;
/** A tool may tell a whole page of itself. */
const DESCRIPTION_START = 160;

const logoUrl = z.string().meta({ description: "A logo, served by us", format: "uri" });
const Person = z.object({
  name: z.string().meta({ description: "What the user is called", example: "Ada Lovelace" }),
  email: z.string().meta({ description: "The user's e-mail address", example: "ada@example.com" }),
  disabled: z.boolean().describe("Whether the user is switched off"),
});
const Found = z
  .object({
    servers: z
      .array(
        z.object({
          slug: z.string().meta({ description: "The server's slug", example: "github" }),
          name: z.string().meta({ description: "What people call it", example: "GitHub" }),
          status: z.enum(["active", "draft"]).describe("A `draft` shows only to groups whose settings say so"),
          logo_url: logoUrl,
        }),
      )
      .describe("MCP servers, by slug, name or description"),
    tools: z
      .array(
        z.object({
          server_slug: z.string().meta({ description: "The slug of its server", example: "github" }),
          server_name: z.string().meta({ description: "What people call its server", example: "GitHub" }),
          slug: z.string().meta({ description: "What follows `__` in its name at the gateway" }),
          name: z.string().meta({ description: "Its title, or the name that its server gives it" }),
          description: z.string().describe(`The first ${DESCRIPTION_START} characters of what the server says of it`),
          enabled: z.boolean().describe("Whether callers may see it: it is switched on and not held back"),
          logo_url: logoUrl,
        }),
      )
      .describe("Tools, by slug or title, also those that are switched off"),
    users: z.array(Person).describe("People, by name or e-mail"),
    machine_users: z
      .array(Person.extend({ slug: z.string().meta({ description: "Its slug", example: "nightly-job" }) }))
      .describe("Machine users, by name or e-mail"),
    groups: z
      .array(z.object({ name: z.string().meta({ description: "The group's name", example: "Engineering" }) }))
      .describe("Groups, by name"),
  })
  .meta({ id: "Found", description: "What a search found, kind by kind, the best first" });

export const search = read({
  id: "search",
  route: "GET /api/search",
  tag: "Search",
  summary: "Find servers, tools, users and groups by what they are called",
  description:
    "In any case, wherever all words stand: what is called just that comes first, then what begins so, then the rest. `github__create_issue` finds a tool by its name at the gateway.",
  scope: "admin:read",
  query: {
    q: targetParameter(`What to look for, ${LONGEST_QUERY} characters at most`, "issue"),
    limit: numberParameter(`How many of each kind to answer at most; ${HITS} unless given`, {
      minimum: 1,
      maximum: 20,
    }),
  },
  answers: { 200: z.object({ data: Found }) },
  refusals: [400],
  onCrash: "Failed to search",
  async run({ db, query: { q, limit = HITS }, context }) {
    if (q.length > LONGEST_QUERY) throw invalid("q", `must be at most ${LONGEST_QUERY} characters`);
    const terms = parseSearch(q);
    const [servers, tools, users, machines, groups] = await Promise.all([
      searchServers(db, terms, limit),
      searchTools(db, parseToolSearch(q), limit),
      searchUsers(db, { terms, isMachineUser: false }, limit),
      searchUsers(db, { terms, isMachineUser: true }, limit),
      searchGroups(db, terms, limit),
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
    // Deleted meanwhile.
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
