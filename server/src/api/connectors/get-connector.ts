import { z } from "zod";
import { read } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findCatalogEntry } from "#records/connectors";
import { ConnectorDetails, presentDetails } from "./schema.ts";
import { readSyncedTools } from "./synced-tools.ts";
import { readUsage } from "./usage.ts";

export const getConnector = read({
  id: "getConnector",
  route: "GET /api/connectors/{connector_id}",
  tag: "Connectors",
  summary: "Get a connector",
  description: "Includes its server URL, publisher, known tools, and usage.",
  scope: "admin:read",
  path: { connector_id: pathParameter("The connector's catalog ID, with a slash percent-encoded as %2F") },
  answers: { 200: z.object({ data: ConnectorDetails }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve connector",
  async run({ db, path, context }) {
    const entry = await findCatalogEntry(db, context.connectors, path.connector_id);
    if (!entry) throw notFound.connector();
    const usage = (await readUsage(db, [entry]))(entry);
    const synced = (await readSyncedTools(db, [entry]))(entry);
    const data = presentDetails(entry, usage, context.baseUrl, synced);
    return { status: 200, body: { data } };
  },
});
