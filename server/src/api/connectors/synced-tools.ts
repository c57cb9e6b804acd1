import type { CatalogEntry } from "#records/connectors";
import { toolsOfConnectors } from "#records/server-tools";
import type { MainDb } from "#storage/database";

export type KnownTools = readonly { readonly name: string; readonly description: string }[];

/** The tools that servers of this installation list. They replace the documented ones, which may be outdated. */
export async function readSyncedTools(
  db: MainDb,
  entries: readonly CatalogEntry[],
): Promise<(entry: CatalogEntry) => KnownTools | undefined> {
  const ids = entries.flatMap((entry) => (entry.source === "connector" ? [entry.connector.id] : []));
  const tools = await toolsOfConnectors(db, ids);
  return (entry) => (entry.source === "connector" ? tools.get(entry.connector.id) : undefined);
}
