import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type MyToolkit = Schemas["UsableToolkit"];

export const myToolkitsKey = ["toolkits", "mine"] as const;

/** The toolkits that the user can select, and drafts of the user. */
export function myToolkitsQuery(api: Api) {
  return queryOptions({ queryKey: myToolkitsKey, queryFn: ({ signal }) => api.listMyToolkits({ signal }) });
}
