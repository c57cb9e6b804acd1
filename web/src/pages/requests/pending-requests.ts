import { useQuery } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { requestsKey } from "./requests.ts";

const REFRESH_MS = 60_000;

/** The number of access requests that wait for a decision; 0 for people who cannot see them. */
export function usePendingRequests(): number {
  const api = useApi();
  const { administers } = useRights();
  const { data } = useQuery({
    queryKey: [...requestsKey, "pending"],
    queryFn: async ({ signal }) =>
      (await api.listAccessRequests({ query: { status: "pending", limit: 1 }, signal })).pending,
    refetchInterval: REFRESH_MS,
    enabled: administers,
  });
  return data ?? 0;
}
