import type { CatalogEntry } from "#records/connectors";
import { countServersUsing, type UsageCount } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";

/** Built-in connectors are matched by ID, registry entries by the URL of the servers (D31). */
export async function readUsage(db: MainDb, entries: readonly CatalogEntry[]): Promise<(entry: CatalogEntry) => Usage> {
  const keys = entries.map((entry) => ({ source: entry.source, key: usedBy(entry) }));
  const of = (source: CatalogEntry["source"]) => keys.flatMap((each) => (each.source === source ? [each.key] : []));
  const counts = await countServersUsing(db, { connectorIds: of("connector"), endpointKeys: of("registry") });
  return (entry) => counts.get(usedBy(entry)) ?? { count: 0, slug: null };
}

type Usage = UsageCount | { readonly count: 0; readonly slug: null };

function usedBy(entry: CatalogEntry): string {
  return entry.source === "connector" ? entry.connector.id : entry.entry.endpoint_key;
}
