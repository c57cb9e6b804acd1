import { z } from "zod";
import { read } from "#api/kit/operation";
import { choiceParameter, type Parameter, pathParameter } from "#api/kit/parameters";
import { Refusal } from "#lib/errors";
import { findRegistryEntry } from "#records/connectors";
import { serversUsing } from "#records/mcp-servers";
import { ConnectorUsage, presentUser, SOURCES } from "./schema.ts";

const segment = pathParameter("The connector's catalog ID, with a slash percent-encoded as %2F");
/** Spec 4.2, 7: only this error has the `{error}` shape. */
const connectorId: Parameter<string> = {
  ...segment,
  read(text, name) {
    if (text === undefined || text.trim() === "") throw new Refusal("unknown-reference", "Connector id is required");
    return segment.read(text, name);
  },
};

/** Spec 2.4, 4.2, D31. */
export const getConnectorUsage = read({
  id: "getConnectorUsage",
  route: "GET /api/connectors/{connector_id}/usage",
  tag: "Connectors",
  summary: "List the MCP servers that use a connector",
  description:
    "Built-in connectors are matched by ID, registry entries by the URL of the servers. An unknown ID has a count of 0.",
  scope: "admin:read",
  path: { connector_id: connectorId },
  query: { source: choiceParameter("Only this catalog; both if omitted", SOURCES) },
  answers: { 200: z.object({ data: ConnectorUsage }) },
  refusals: [400],
  onCrash: "Failed to check connector usage",
  async run({ db, path, query, context }) {
    const { connector_id: id } = path;
    const { source } = query;
    const entry = source === "connector" ? undefined : await findRegistryEntry(db, id);
    const servers = await serversUsing(db, {
      connectorId: source === "registry" ? undefined : id,
      endpointKey: entry?.endpoint_key,
    });
    const livesIn = entry && !context.connectors.find(id) ? "registry" : "connector";
    return {
      status: 200,
      body: {
        data: {
          connector_id: id,
          source: source ?? livesIn,
          in_use: servers.length > 0,
          count: servers.length,
          mcp_servers: servers.map(presentUser),
        },
      },
    };
  },
});
