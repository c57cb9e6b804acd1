import { z } from "zod";
import { recordId } from "#api/kit/answers";
import { connectorLogoUrl, letterLogoUrl } from "#api/presenters/logo-url";
import type { BuiltInConnector, CatalogEntry } from "#records/connectors";
import { needsSetup } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/server-tables";
import type { KnownTools } from "./synced-tools.ts";

export const SOURCES = ["connector", "registry"] as const;
export const STATUSES = ["active", "beta", "soon"] as const;

const source = z.enum(SOURCES).describe("`connector`: built-in; `registry`: entry of the public MCP registry");
const connectorId = z.string().meta({ description: "The connector's catalog ID", example: "github" });

const ToolsSource = z
  .object({
    type: z
      .enum(["documentation", "sync"])
      .describe("`documentation`: of the vendor; `sync`: a server of this installation lists them"),
    name: z.string().nullable().meta({
      description: "The repository or page; null for `sync`",
      example: "github/github-mcp-server README.md",
    }),
    as_of: z.string().nullable().meta({
      description: "Date or version of the documentation; null: unknown, or `sync`",
      example: "2026-08-20",
    }),
    partial: z.boolean().describe("Whether the server has more tools than the documentation names"),
  })
  .meta({ id: "ToolsSource", description: "Where the known tools of a connector come from" });

/** Spec 2.3. */
export const Connector = z
  .object({
    id: connectorId,
    source,
    name: z.string().meta({ description: "Display name", example: "GitHub" }),
    description: z
      .string()
      .meta({ description: "Short description; may be empty", example: "Issues and pull requests." }),
    logo_url: z.string().meta({
      description: "URL of the logo, served by this installation",
      format: "uri",
      example: "https://gatehouse.example.com/logos/connectors/github.svg",
    }),
    website: z
      .string()
      .nullable()
      .meta({ description: "The vendor's website; null: unknown", format: "uri", example: "https://github.com" }),
    category: z.string().nullable().meta({ description: "Category; null: unknown", example: "Developer tools" }),
    status: z.enum(STATUSES).describe("`soon`: not available yet. Registry entries are always `active`"),
    auth_types: z
      .array(z.enum(["none", "proxy-oauth", "proxy-api-key"]))
      .describe("Supported authentication types, the recommended one first; empty: unknown"),
    tools_count: z.int().meta({ description: "Number of known tools", example: 24 }),
    tools: z
      .array(
        z.object({
          name: z.string().meta({ description: "The tool's name", example: "create_issue" }),
          description: z.string().meta({ description: "The tool's description", example: "Creates an issue." }),
        }),
      )
      .optional()
      .describe("Known tools; only for built-in connectors and with `include_tools`"),
    usage: z
      .object({
        count: z.int().meta({ description: "Number of MCP servers that use it", example: 1 }),
        slug: z
          .string()
          .nullable()
          .meta({ description: "Slug of the first such server, in alphabetical order; null: none", example: "github" }),
      })
      .optional()
      .describe("MCP servers that use it; only with `include_usage`"),
    transport: z.enum(["http", "sse"]).optional().describe("Transport; only for registry entries"),
    url: z.string().optional().meta({
      description: "Server URL; only for registry entries",
      format: "uri",
      example: "https://mcp.example.com/mcp",
    }),
    repo: z.string().optional().meta({
      description: "Source repository; only for registry entries, if known",
      format: "uri",
      example: "https://github.com/example/mcp-server",
    }),
    official: z
      .boolean()
      .optional()
      .describe("Whether the server URL is in the publisher's domain; only for registry entries"),
  })
  .meta({ id: "Connector", description: "A connector in the catalog" });

/** One connector with everything that the catalog has about it. */
export const ConnectorDetails = z
  .object({
    ...Connector.shape,
    publisher: z.string().nullable().meta({
      description: "Domain or GitHub account of the publisher; null: unknown",
      example: "github.com",
    }),
    url: z.string().nullable().meta({
      description: "Server URL; null: it differs per customer",
      format: "uri",
      example: "https://mcp.example.com/mcp",
    }),
    transport: z.enum(["http", "sse", "both"]).describe("Transport; `both`: unknown, so both are tried"),
    setup: z.string().nullable().describe("How to find the server URL if `url` is null"),
    tools_source: ToolsSource.nullable().describe("Where the tools come from; null: no tools are known"),
  })
  .meta({ id: "ConnectorDetails", description: "A connector in the catalog, with its details" });

/** Spec 2.4. */
export const ConnectorUsage = z
  .object({
    connector_id: connectorId,
    source,
    in_use: z.boolean().describe("Whether any MCP server uses it"),
    count: z.int().meta({ description: "Number of MCP servers that use it", example: 2 }),
    mcp_servers: z
      .array(
        z.object({
          id: recordId("srv"),
          slug: z.string().meta({ description: "The server's slug", example: "github" }),
          name: z.string().meta({ description: "The server's name", example: "GitHub" }),
          status: z.enum(["active", "draft"]).describe("`draft`: visible only to groups that show drafts"),
          needs_setup: z
            .boolean()
            .describe("Whether the server needs setup: it has no URL, or its OAuth has no client ID"),
        }),
      )
      .describe("The MCP servers that use it, oldest first"),
  })
  .meta({ id: "ConnectorUsage", description: "The MCP servers that use a connector" });

/** Some fields belong to only one of the two catalogs. `synced`: the tools that a server with this connector lists. */
export function presentEntry(
  catalogEntry: CatalogEntry,
  withTools: boolean,
  baseUrl: string,
  synced?: KnownTools,
): z.input<typeof Connector> {
  if (catalogEntry.source === "connector") {
    const { id, name, description, website, category, status, authTypes } = catalogEntry.connector;
    const tools = synced ?? catalogEntry.connector.tools;
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
      ...(withTools ? { tools: [...tools] } : {}),
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

function presentSource(
  { toolsSource: source }: BuiltInConnector,
  synced: KnownTools | undefined,
): z.input<typeof ToolsSource> | null {
  if (synced) return { type: "sync", name: null, as_of: null, partial: false };
  if (!source) return null;
  const { name, asOf = null, partial = false } = source;
  return { type: "documentation", name, as_of: asOf, partial };
}

export function presentDetails(
  catalogEntry: CatalogEntry,
  usage: { readonly count: number; readonly slug: string | null },
  baseUrl: string,
  synced?: KnownTools,
): z.input<typeof ConnectorDetails> {
  const shown = { ...presentEntry(catalogEntry, true, baseUrl, synced), usage };
  if (catalogEntry.source === "connector") {
    const { website, url, transport, setup } = catalogEntry.connector;
    const publisher = website === undefined ? null : new URL(website).host.replace(/^www\./, "");
    const tools_source = presentSource(catalogEntry.connector, synced);
    return { ...shown, publisher, url: url ?? null, transport, setup: setup ?? null, tools_source };
  }
  const { id, url, transport } = catalogEntry.entry;
  return { ...shown, publisher: publisherOf(id), url, transport, setup: null, tools_source: null };
}

/** The registry's namespace `com.example` as `example.com`, and `io.github.ada` as `github.com/ada`. */
function publisherOf(id: string): string {
  const namespace = id.slice(0, id.indexOf("/"));
  const [, account] = /^io\.github\.(.+)$/.exec(namespace) ?? [];
  return account === undefined ? namespace.split(".").reverse().join(".") : `github.com/${account}`;
}

export function presentUser(server: McpServerRow): z.input<typeof ConnectorUsage>["mcp_servers"][number] {
  const { id, slug, name, status } = server;
  return { id, slug, name, status, needs_setup: needsSetup(server) };
}
