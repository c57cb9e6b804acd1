import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Api } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import type { Call } from "./call-labels.ts";
import { type CallFilters, callQuery, logsKey, PAGE } from "./calls.ts";
import { merged } from "./merge-calls.ts";

const POLL_MS = 2000;
/** More at once would be a list that nobody reads: it is read anew instead. */
const MOST_LOOKS = 5;
const MOST_LIVE = 2000;

interface LiveOptions {
  readonly filters: CallFilters;
  /** What was read before, newest first; undefined: not there yet. */
  readonly rows: readonly Call[] | undefined;
  /** Where the log ended when that was read. */
  readonly tailCursor: string | undefined;
  readonly isOn: boolean;
  /** So many came at once that the list must be read anew. */
  onGap(): void;
}

/**
 * The calls that came into the log since the list was read, at their places in it: one that took long stands below those
 * that came after it. Nothing is asked while nobody looks at the head of the list, and nothing is missed meanwhile.
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
      const arrived = await readArrived(api, filters, here.cursor, signal);
      here.cursor = arrived.cursor;
      return arrived;
    },
    enabled: isOn && rows !== undefined && tailCursor !== undefined,
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has calls of its own.
  useEffect(() => setFresh([]), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an answer changes anything, whatever was shown then.
  useEffect(() => {
    if (!data) return;
    if (data.isGap || fresh.length > MOST_LIVE) {
      setFresh([]);
      queries.removeQueries({ queryKey: key });
      onGap();
    } else if (data.calls.length > 0) setFresh((old) => merged(data.calls, old));
  }, [data]);
  return all;
}

async function readArrived(api: Api, filters: CallFilters, begin: string, signal: AbortSignal) {
  const calls: Call[] = [];
  let cursor = begin;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const query = { ...callQuery(filters, Date.now()), cursor, limit: PAGE };
    const { data, pagination } = await api.tailLogs({ query, signal });
    cursor = pagination.tailCursor;
    calls.unshift(...data.toReversed());
    if (!pagination.hasMore) return { calls, cursor, isGap: false };
  }
  return { calls, cursor, isGap: true };
}
