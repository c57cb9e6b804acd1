import type { MainDb } from "#storage/database";
import type { AuthType, RegistryEntryRow, UpstreamTransport } from "#storage/server-tables";
import type { BuiltInConnector, BuiltInConnectors } from "./built-in.ts";
import type { ConnectorFilter } from "./order-and-search.ts";
import { countRegistryEntries, findRegistryEntry, listRegistryEntries } from "./registry-entries.ts";

export type CatalogEntry =
  | { readonly source: "connector"; readonly connector: BuiltInConnector }
  | { readonly source: "registry"; readonly entry: RegistryEntryRow };

export interface CatalogPage {
  readonly entries: readonly CatalogEntry[];
  readonly total: number;
}

/** Both catalogs as one list: the reviewed built-in connectors first, then the registry. */
export async function listCatalog(
  db: MainDb,
  builtIn: BuiltInConnectors,
  filter: ConnectorFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<CatalogPage> {
  const connectors = builtIn.select(filter);
  const shown = connectors.slice(offset, offset + limit);
  const first: CatalogEntry[] = shown.map((connector) => ({ source: "connector", connector }));
  if (!reachesRegistry(filter)) return { entries: first, total: connectors.length };
  const rest = { offset: Math.max(0, offset - connectors.length), limit: limit - shown.length };
  const rows = await listRegistryEntries(db, filter, builtIn.endpointKeys, rest);
  return {
    entries: [...first, ...rows.map((entry) => ({ source: "registry", entry }) as const)],
    total: connectors.length + (await countRegistryEntries(db, filter, builtIn.endpointKeys)),
  };
}

/** Spec 2.3: entries of the registry are always active; they have no category. */
function reachesRegistry({ source, status, category, featured = false }: ConnectorFilter): boolean {
  return !featured && source !== "connector" && (status === undefined || status === "active") && category === undefined;
}

/** Undefined: neither catalog has it. */
export async function findCatalogEntry(
  db: MainDb,
  builtIn: BuiltInConnectors,
  id: string,
): Promise<CatalogEntry | undefined> {
  const connector = builtIn.find(id);
  if (connector) return { source: "connector", connector };
  const entry = await findRegistryEntry(db, id);
  return entry && { source: "registry", entry };
}

/** Defaults for a server that is created from a connector (D31). */
export interface ConnectorTemplate {
  readonly description: string;
  readonly upstream: { readonly url: string; readonly transport: UpstreamTransport } | undefined;
  /** `none` if unknown, as without a connector. */
  readonly authType: AuthType;
  readonly keyHeader: { readonly headerName?: string; readonly headerPrefix?: string };
}

export async function findTemplate(
  db: MainDb,
  builtIn: BuiltInConnectors,
  id: string,
): Promise<ConnectorTemplate | undefined> {
  const connector = builtIn.find(id);
  if (connector) {
    const { description, url, transport, authTypes, headerName, headerPrefix } = connector;
    return {
      description,
      upstream: url === undefined ? undefined : { url, transport },
      authType: authTypes[0] ?? "none",
      keyHeader: {
        ...(headerName === undefined ? {} : { headerName }),
        ...(headerPrefix === undefined ? {} : { headerPrefix }),
      },
    };
  }
  const entry = await findRegistryEntry(db, id);
  return (
    entry && {
      description: entry.description,
      upstream: { url: entry.url, transport: entry.transport },
      authType: entry.auth_types[0] ?? "none",
      keyHeader: {
        ...(entry.header_name === null ? {} : { headerName: entry.header_name }),
        ...(entry.header_prefix === null ? {} : { headerPrefix: entry.header_prefix }),
      },
    }
  );
}
