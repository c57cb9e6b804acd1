import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Api } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import type { Call } from "./call-labels.ts";
import { type CallFilters, callQuery, logsKey, PAGE } from "./calls.ts";
import { merged } from "./merge-calls.ts";

const POLL_MS = 2000;
/** After this many pages in one poll, the list is reloaded instead. */
const MAX_PAGES_PER_POLL = 5;
const MAX_LIVE_CALLS = 2000;

interface LiveOptions {
  readonly filters: CallFilters;
  /** The loaded rows, newest first. Undefined while they load. */
  readonly rows: readonly Call[] | undefined;
  /** The end of the log when the rows were loaded. */
  readonly tailCursor: string | undefined;
  readonly isOn: boolean;
  /** Too many calls arrived at once: the list must be reloaded. */
  onGap(): void;
}

/**
 * The loaded rows, merged with the calls that were logged since. Long calls are logged late and appear below newer ones.
 * Polling pauses while `isOn` is false and then continues at the same cursor.
 */
export function useLiveCalls({ filters, rows, tailCursor, isOn, onGap }: LiveOptions): readonly Call[] {
  const api = useApi();
  const queries = useQueryClient();
  const list = `${JSON.stringify(filters)} ${tailCursor}`;
  const key = [...logsKey, "live", list];
  const place = useRef({ list: "", cursor: "" });
  if (tailCursor !== undefined && place.current.list !== list) place.current = { list, cursor: tailCursor };
  const [fresh, setFresh] = useState<readonly Call[]>([]);
  const all = useMemo(() => (fresh.length === 0 ? (rows ?? []) : merged(fresh, rows ?? [])), [fresh, rows]);
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const here = place.current;
      const arrived = await fetchNewCalls(api, filters, here.cursor, signal);
      here.cursor = arrived.cursor;
      return arrived;
    },
    enabled: isOn && rows !== undefined && tailCursor !== undefined,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list starts without live calls.
  useEffect(() => setFresh([]), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new data may trigger this.
  useEffect(() => {
    if (!data) return;
    if (data.isGap || fresh.length > MAX_LIVE_CALLS) {
      setFresh([]);
      queries.removeQueries({ queryKey: key });
      onGap();
    } else if (data.calls.length > 0) {
      setFresh((old) => merged(data.calls, old));
      // The totals and error groups count the new calls too.
      for (const part of ["stats", "errors"]) void queries.invalidateQueries({ queryKey: [...logsKey, part] });
    }
  }, [data]);
  return all;
}

async function fetchNewCalls(api: Api, filters: CallFilters, begin: string, signal: AbortSignal) {
  const calls: Call[] = [];
  let cursor = begin;
  for (let page = 0; page < MAX_PAGES_PER_POLL; page++) {
    const query = { ...callQuery(filters, Date.now()), cursor, limit: PAGE };
    const { data, pagination } = await api.tailLogs({ query, signal });
    cursor = pagination.tailCursor;
    calls.unshift(...data.toReversed());
    if (!pagination.hasMore) return { calls, cursor, isGap: false };
  }
  return { calls, cursor, isGap: true };
}
