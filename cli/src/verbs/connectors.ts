import type { Schemas } from "#openapi/types";
import type { Columns } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { LIMIT, type Noun, type Option, SEARCH, verb } from "../verb.ts";

const SOURCE = {
  type: "choice",
  choices: ["connector", "registry"],
  description: "built-in connectors, or servers of the public registry",
} as const satisfies Option;

const list = verb({
  description: "List the catalog",
  options: { search: SEARCH, source: SOURCE, limit: LIMIT },
  example: "gatehouse connectors list --search linear",
  async run({ api, options: { search, source, limit }, out }) {
    const client = api();
    const rows = await readPages<Schemas["Connector"], number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listConnectors({ query: { search, source, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Schemas["Connector"]> = {
      ID: (connector) => connector.id,
      NAME: (connector) => connector.name,
      SOURCE: (connector) => connector.source,
      AUTH: (connector) => connector.auth_types,
      DESCRIPTION: (connector) => connector.description,
    };
    out.list(rows, columns, "No connectors match. Add the server by its URL: gatehouse servers create --help");
  },
});

const get = verb({
  description: "Show a connector with its URL, authentication types, and tools",
  args: ["id"],
  example: "gatehouse connectors get linear",
  async run({ api, args, out }) {
    const { data } = await api().getConnector({ path: { connector_id: args.id } });
    out.record(data);
  },
});

const usage = verb({
  description: "List the servers created from a connector",
  args: ["id"],
  options: { source: SOURCE },
  example: "gatehouse connectors usage linear",
  async run({ api, args, options: { source }, out }) {
    const { data } = await api().getConnectorUsage({ path: { connector_id: args.id }, query: { source } });
    const columns: Columns<Schemas["ConnectorUsage"]["mcp_servers"][number]> = {
      SLUG: (server) => server.slug,
      NAME: (server) => server.name,
      STATUS: (server) => server.status,
      "NEEDS SETUP": (server) => server.needs_setup,
    };
    out.list(
      data.mcp_servers,
      columns,
      `No servers. Create one: gatehouse servers create <name> --connector ${args.id}`,
    );
  },
});

export const connectors: Noun = {
  description: "The catalog of connectors that servers can be created from",
  verbs: { list, get, usage },
  example: "gatehouse connectors list --search linear",
};
