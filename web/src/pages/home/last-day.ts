import { queryOptions, type UseQueryResult } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { duration } from "../logs/call-labels.ts";

export type Statistics = Schemas["CallStatistics"];
export type LastDay = UseQueryResult<Statistics, Error>;

const DAY_MS = 24 * 60 * 60 * 1000;
const REFRESH_MS = 60_000;

export const lastDayKey = ["logs", "last-day"] as const;

export function lastDayQuery(api: Api) {
  return queryOptions({
    queryKey: lastDayKey,
    queryFn: async ({ signal }) => {
      return (await api.getLogStats({ query: { from: aDayAgo(), kind: "calls", bucket: "hour", top: 8 }, signal }))
        .data;
    },
    refetchInterval: REFRESH_MS,
  });
}

export function aDayAgo(): string {
  return new Date(Date.now() - DAY_MS).toISOString();
}

export function formatDuration(ms: number | null): string {
  return ms === null ? "–" : duration(ms);
}
