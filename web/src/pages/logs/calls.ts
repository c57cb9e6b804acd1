import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import type { Call, METHODS, Outcome } from "./call-labels.ts";
import { barLength, barsOf, stepsFor, type TimeWanted, timeQuery } from "./time-range.ts";

/** The filters in the URL. */
export interface CallFilters extends TimeWanted {
  readonly q?: string | undefined;
  readonly user?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly method?: (typeof METHODS)[number] | undefined;
  /** Also shows list requests, such as tools/list. */
  readonly lists?: "shown" | undefined;
  readonly min_ms?: string | undefined;
  readonly max_ms?: string | undefined;
  readonly via?: Call["via"] | undefined;
  readonly client?: string | undefined;
  readonly toolkit?: string | undefined;
  readonly guard?: string | undefined;
  readonly agent?: string | undefined;
  readonly agent_session?: string | undefined;
  readonly guard_action?: NonNullable<Call["guard_action"]> | undefined;
  /** An error message as the error groups show it; `…` matches any text. */
  readonly error?: string | undefined;
  readonly request_id?: string | undefined;
  readonly trace_id?: string | undefined;
}

export const logsKey = ["logs"] as const;
/** The maximum page size of the API. */
export const PAGE = 200;

export function callQuery(filters: CallFilters, now: number) {
  const { q: text, user, server, tool, outcome, method, via, error, request_id, trace_id } = filters;
  const number = (given: string | undefined) => (given === undefined ? undefined : Number(given));
  return {
    ...timeQuery(filters, now),
    ...{ text, user, server, tool, outcome, method, via, error, request_id, trace_id },
    kind: kindOf(filters),
    client_id: filters.client,
    toolkit: filters.toolkit,
    guard: filters.guard,
    agent: filters.agent,
    agent_session: filters.agent_session,
    guard_action: filters.guard_action,
    min_duration_ms: number(filters.min_ms),
    max_duration_ms: number(filters.max_ms),
  };
}

/** List requests are hidden, unless a filter asks for one request. */
function kindOf({ lists, method, request_id, trace_id }: CallFilters): "calls" | undefined {
  return (lists ?? method ?? request_id ?? trace_id) === undefined ? "calls" : undefined;
}

export function fetchCalls(api: Api, filters: CallFilters, cursor: string | undefined, signal: AbortSignal) {
  return api.listLogs({ query: { ...callQuery(filters, Date.now()), cursor, limit: PAGE }, signal });
}

/** The filters that statistics support. */
function statsFilters({ range, from, to, user, server, tool, outcome, method, lists }: CallFilters): CallFilters {
  return { range, from, to, user, server, tool, outcome, method, lists };
}

/** Whether a filter is set that statistics do not support. */
export function exceedsStats(filters: CallFilters): boolean {
  const counted = statsFilters(filters);
  return Object.entries(filters).some(([name, value]) => value !== undefined && !(name in counted));
}

export type Totals = Schemas["CallStatistics"]["totals"];

export function useCallStats(filters: CallFilters, refetchInterval: number | false) {
  const api = useApi();
  const counted = statsFilters(filters);
  return useQuery({
    queryKey: [...logsKey, "stats", counted],
    queryFn: async ({ signal }) => {
      const { user, server, tool, outcome, method } = counted;
      const now = Date.now();
      const { from, to } = timeQuery(counted, now);
      const steps = stepsFor((to === undefined ? now : Date.parse(to)) - Date.parse(from));
      const kind = kindOf(counted);
      const query = { from, to, user, server, tool, outcome, method, kind, bucket: steps.bucket, top: 0 };
      const { data } = await api.getLogStats({ query, signal });
      const barMs = barLength(steps);
      return {
        totals: data.totals,
        bars: barsOf(data.series, barMs),
        barMs,
        from: Date.parse(data.from),
        to: Date.parse(data.to),
      };
    },
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

const MAX_GROUPS = 30;

/** Failed calls, grouped by error. Groups cannot be filtered by user or tool. */
export function errorGroupsQuery(api: Api, { range, from, to, server, outcome }: CallFilters) {
  const wanted = { range, from, to, server, outcome };
  return queryOptions({
    queryKey: [...logsKey, "errors", wanted],
    queryFn: async ({ signal }) => {
      const query = { ...timeQuery(wanted, Date.now()), server, outcome, top: MAX_GROUPS };
      return (await api.listLogErrors({ query, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
}

const MAX_NAMES = 100;

/** The recent servers, tools, and users that the filters suggest. */
export function namesQuery(api: Api, wanted: TimeWanted) {
  return queryOptions({
    queryKey: [...logsKey, "names", wanted],
    queryFn: async ({ signal }) => {
      const query = { ...timeQuery(wanted, Date.now()), bucket: "day", top: MAX_NAMES } as const;
      const { servers, tools, users } = (await api.getLogStats({ query, signal })).data;
      return {
        servers: servers.map(({ server_slug: slug }) => slug),
        tools: [...new Set(tools.map(({ tool }) => tool))],
        users: users.map(({ user_email: email }) => email),
      };
    },
    staleTime: 60_000,
  });
}

export function callDetailQuery(api: Api, id: string) {
  return queryOptions({
    queryKey: [...logsKey, "one", id],
    queryFn: async ({ signal }) => (await api.getLog({ path: { id }, signal })).data,
    // Log entries never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
