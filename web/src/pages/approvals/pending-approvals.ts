import { useQuery } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { approvalsKey } from "./approvals.ts";

/** A held call waits for half a minute by default, so the count follows closely. */
const REFRESH_MS = 10_000;

/** The number of calls that wait for a decision; 0 for people who cannot see them. */
export function usePendingApprovals(): number {
  const api = useApi();
  const { administers } = useRights();
  const { data } = useQuery({
    queryKey: [...approvalsKey, "pending"],
    queryFn: async ({ signal }) =>
      (await api.listApprovals({ query: { status: "pending", limit: 1 }, signal })).pending,
    refetchInterval: REFRESH_MS,
    enabled: administers,
  });
  return data ?? 0;
}
