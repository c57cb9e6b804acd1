export { applyReading, hasRegistryEntries, type RegistryReading, registryState } from "./apply-reading.ts";
export { type BuiltInConnector, BuiltInConnectors, readBuiltInConnectors } from "./built-in.ts";
export { type CatalogEntry, type ConnectorTemplate, findCatalogEntry, findTemplate, listCatalog } from "./catalog.ts";
export { connectorSearchText, connectorSortKey } from "./order-and-search.ts";
export { findRegistryEntry, registryIdsOf } from "./registry-entries.ts";
