import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Connector = Schemas["Connector"];

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

export function categoriesQuery(api: Api) {
  return queryOptions({
    queryKey: [...connectorsKey, "categories"],
    queryFn: ({ signal }) => api.listConnectorCategories({ signal }),
    // Categories change only with a release.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
