import type { Api, Schemas } from "../../api/client.ts";

export type Connector = Schemas["Connector"];

export interface CatalogFilters {
  readonly q?: string | undefined;
  readonly source?: "connector" | "registry" | undefined;
}

export const connectorsKey = ["connectors"] as const;

const PAGE_SIZE = 60;

export function fetchConnectors(api: Api, { q, source }: CatalogFilters, cursor: number, signal: AbortSignal) {
  return api.listConnectors({ query: { search: q, source, cursor, limit: PAGE_SIZE }, signal });
}
