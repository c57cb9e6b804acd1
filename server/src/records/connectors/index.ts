export {
  type AppliedReading,
  applyReading,
  hasRegistryEntries,
  type RegistryReading,
  registryState,
} from "./apply-reading.ts";
export { type BuiltInConnector, BuiltInConnectors, ConnectorFile, readBuiltInConnectors } from "./built-in.ts";
export { type CatalogEntry, type ConnectorTemplate, findTemplate, listCatalog } from "./catalog.ts";
export {
  type ConnectorFilter,
  type ConnectorSource,
  connectorSearchText,
  connectorSortKey,
} from "./order-and-search.ts";
export { findRegistryEntry } from "./registry-entries.ts";
