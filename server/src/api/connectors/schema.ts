import { z } from "zod";
import { recordId } from "#api/kit/answers";
import { connectorLogoUrl, letterLogoUrl } from "#api/presenters/logo-url";
import type { CatalogEntry } from "#records/connectors";
import { needsSetup } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/server-tables";

export const SOURCES = ["connector", "registry"] as const;
export const STATUSES = ["active", "beta", "soon"] as const;

const source = z.enum(SOURCES).describe("`connector`: built-in; `registry`: an entry of the public MCP registry");
const connectorId = z.string().meta({ description: "Its id in the catalog", example: "github" });

/** Spec 2.3. */
export const Connector = z
  .object({
    id: connectorId,
    source,
    name: z.string().meta({ description: "What people call it", example: "GitHub" }),
    description: z.string().meta({ description: "What it is for; may be empty", example: "Issues and pull requests." }),
    logo_url: z.string().meta({
      description: "A logo, served by us",
      format: "uri",
      example: "https://gatehouse.example.com/logos/connectors/github.svg",
    }),
    website: z
      .string()
      .nullable()
      .meta({ description: "Where to read more; null: not known", format: "uri", example: "https://github.com" }),
    category: z.string().nullable().meta({ description: "Null: not known", example: "Developer tools" }),
    status: z.enum(STATUSES).describe("`soon` cannot be reached yet; registry entries are always `active`"),
    auth_types: z
      .array(z.enum(["none", "proxy-oauth", "proxy-api-key"]))
      .describe("What each user needs towards it, the usual one first; empty: not known"),
    tools_count: z.int().meta({ description: "How many of its tools are known", example: 24 }),
    tools: z
      .array(
        z.object({
          name: z.string().meta({ description: "The tool's name", example: "create_issue" }),
          description: z.string().meta({ description: "What it does", example: "Creates an issue." }),
        }),
      )
      .optional()
      .describe("Its known tools; built-in connectors only, and only when asked for"),
    usage: z
      .object({
        count: z.int().meta({ description: "How many MCP servers use it", example: 1 }),
        slug: z.string().nullable().meta({ description: "The first of them by slug; null: none", example: "github" }),
      })
      .optional()
      .describe("Which MCP servers use it; only when asked for"),
    transport: z.enum(["http", "sse"]).optional().describe("How it is spoken to; registry entries only"),
    url: z.string().optional().meta({
      description: "Its remote endpoint; registry entries only",
      format: "uri",
      example: "https://mcp.example.com/mcp",
    }),
    repo: z.string().optional().meta({
      description: "Its source; registry entries only, where it is known",
      format: "uri",
      example: "https://github.com/example/mcp-server",
    }),
    official: z
      .boolean()
      .optional()
      .describe("Whether the endpoint is in its publisher's own domain; registry entries only"),
  })
  .meta({ id: "Connector", description: "An entry of the connector catalog" });

/** Spec 2.4. */
export const ConnectorUsage = z
  .object({
    connector_id: connectorId,
    source,
    in_use: z.boolean().describe("Whether any MCP server uses it"),
    count: z.int().meta({ description: "How many MCP servers use it", example: 2 }),
    mcp_servers: z
      .array(
        z.object({
          id: recordId("srv"),
          slug: z.string().meta({ description: "The server's slug", example: "github" }),
          name: z.string().meta({ description: "What people call it", example: "GitHub" }),
          status: z.enum(["active", "draft"]).describe("A `draft` shows only to groups whose settings say so"),
          needs_setup: z.boolean().describe("Whether something is missing: an upstream, or a client id for its OAuth"),
        }),
      )
      .describe("The MCP servers that use it, oldest first"),
  })
  .meta({ id: "ConnectorUsage", description: "Which MCP servers use a connector" });

/** Some fields belong to one of the two catalogs only; `tools` also has to be asked for. */
export function presentEntry(
  catalogEntry: CatalogEntry,
  withTools: boolean,
  baseUrl: string,
): z.input<typeof Connector> {
  if (catalogEntry.source === "connector") {
    const { id, name, description, website, category, status, authTypes, tools } = catalogEntry.connector;
    return {
      id,
      source: "connector",
      name,
      description,
      logo_url: connectorLogoUrl(id, baseUrl),
      website: website ?? null,
      category: category ?? null,
      status,
      auth_types: authTypes,
      tools_count: tools.length,
      ...(withTools ? { tools } : {}),
    };
  }
  const { entry } = catalogEntry;
  return {
    id: entry.id,
    source: "registry",
    name: entry.name,
    description: entry.description,
    logo_url: letterLogoUrl(entry.name, baseUrl),
    website: entry.website,
    category: null,
    status: "active",
    auth_types: entry.auth_types,
    tools_count: 0,
    transport: entry.transport,
    url: entry.url,
    ...(entry.repo === null ? {} : { repo: entry.repo }),
    official: entry.official,
  };
}

export function presentUser(server: McpServerRow): z.input<typeof ConnectorUsage>["mcp_servers"][number] {
  const { id, slug, name, status } = server;
  return { id, slug, name, status, needs_setup: needsSetup(server) };
}
