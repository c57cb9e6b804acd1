import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Connector = Schemas["Connector"];
export type ConnectorDetails = Schemas["ConnectorDetails"];
/** What adding a server needs of either. */
export type AddableConnector = Pick<Connector, "id" | "name" | "status" | "auth_types">;

export interface CatalogFilters {
  readonly q?: string | undefined;
  readonly source?: "connector" | "registry" | undefined;
  readonly category?: string | undefined;
}

export const connectorsKey = ["connectors"] as const;

const PAGE_SIZE = 60;

export function fetchConnectors(api: Api, filters: CatalogFilters, cursor: number, signal: AbortSignal) {
  const { q, source, category } = filters;
  const query = { search: q, source, category, include_usage: true, cursor, limit: PAGE_SIZE };
  return api.listConnectors({ query, signal });
}

export function featuredQuery(api: Api) {
  return queryOptions({
    queryKey: [...connectorsKey, "featured"],
    queryFn: async ({ signal }) =>
      (await api.listConnectors({ query: { featured: true, include_usage: true, limit: PAGE_SIZE }, signal })).data,
  });
}

export function connectorQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: [...connectorsKey, "one", id],
    queryFn: async ({ signal }) => (await api.getConnector({ path: { connector_id: id }, signal })).data,
  });
}

export function categoriesQuery(api: Api) {
  return queryOptions({
    queryKey: [...connectorsKey, "categories"],
    queryFn: ({ signal }) => api.listConnectorCategories({ signal }),
    // Categories change only with a release.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
