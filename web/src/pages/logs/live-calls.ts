import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useApi } from "../../api/context.tsx";
import { type CallFilters, callQuery, logsKey, PAGE } from "./calls.ts";
import { merged } from "./merge-calls.ts";
import type { Call } from "./words.ts";

const POLL_MS = 2000;
/** A call is written when it ends and listed by when it came: those that took longer come in below the newest. */
const OVERLAP_MS = 60_000;
/** More would be a list that nobody reads and everybody's browser keeps. */
const MOST_LIVE = 2000;

interface LiveOptions {
  readonly filters: CallFilters;
  /** What was read before, newest first; undefined: not there yet. */
  readonly rows: readonly Call[] | undefined;
  readonly isOn: boolean;
  /** So many came at once that the list must be read anew. */
  onGap(): void;
}

/** The calls that came since the list was read, before those. Nothing is asked while nobody looks at the head of it. */
export function useLiveCalls({ filters, rows, isOn, onGap }: LiveOptions): readonly Call[] {
  const api = useApi();
  const queries = useQueryClient();
  const key = [...logsKey, "live", filters];
  const [fresh, setFresh] = useState<readonly Call[]>([]);
  const all = useMemo(() => (fresh.length === 0 ? (rows ?? []) : merged(fresh, rows ?? [])), [fresh, rows]);
  const newest = all[0];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const since = newest === undefined ? {} : { from: new Date(Date.parse(newest.ts) - OVERLAP_MS).toISOString() };
      return api.listLogs({ query: { ...callQuery(filters, Date.now()), ...since, limit: PAGE }, signal });
    },
    enabled: isOn && rows !== undefined,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  });
  const filtersText = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another list.
  useEffect(() => setFresh([]), [filtersText]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an answer changes anything, whatever was shown then.
  useEffect(() => {
    if (!data) return;
    const oldest = data.data.at(-1);
    const isGap = newest !== undefined && oldest !== undefined && data.pagination.hasMore && oldest.ts > newest.ts;
    if (isGap || fresh.length > MOST_LIVE) {
      setFresh([]);
      queries.removeQueries({ queryKey: key });
      onGap();
      return;
    }
    const known = new Set(all.slice(0, PAGE + fresh.length).map(({ id }) => id));
    const added = data.data.filter(({ id }) => !known.has(id));
    if (added.length > 0) setFresh((old) => merged(added, old));
  }, [data]);
  return all;
}
