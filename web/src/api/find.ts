import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";

const PAUSE_MS = 200;

/** Search results for the text typed into a picker, after a short pause. */
export function useSearchResults<Row>(
  queryKey: QueryKey,
  typed: string,
  find: (search: string | undefined, signal: AbortSignal) => Promise<readonly Row[]>,
): { readonly rows: readonly Row[]; readonly isLoading: boolean } {
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { data, isFetching } = useQuery({
    queryKey: [...queryKey, search],
    queryFn: ({ signal }) => find(search === "" ? undefined : search, signal),
    placeholderData: keepPreviousData,
  });
  return { rows: data ?? [], isLoading: isFetching };
}

interface SkipPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly limit: number; readonly hasMore: boolean };
}

/** Finds one row in a paged list: the API matches parts of names, `isMeant` the exact one. Null: no match. */
export async function findInPages<Row>(
  fetchPage: (skip: number) => Promise<SkipPage<Row>>,
  isMeant: (row: Row) => boolean,
): Promise<Row | null> {
  for (let skip = 0; ; ) {
    const { data, pagination } = await fetchPage(skip);
    const found = data.find(isMeant);
    if (found !== undefined) return found;
    if (!pagination.hasMore) return null;
    skip += pagination.limit;
  }
}

/** Loads all pages of a list that is short in practice. */
export async function fetchAll<Row>(fetchPage: (skip: number) => Promise<SkipPage<Row>>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let hasMore = true; hasMore; ) {
    const { data, pagination } = await fetchPage(rows.length);
    rows.push(...data);
    hasMore = pagination.hasMore;
  }
  return rows;
}

/** Names are compared without regard to case. */
export function isSameName(a: string, b: string): boolean {
  return fold(a) === fold(b);
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
