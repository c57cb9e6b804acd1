import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Schemas } from "#openapi/types";

export const PAGE_SIZE = 100;

interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: Partial<Schemas["CursorPagination"]> & Partial<Schemas["SkipPagination"]>;
  readonly totalCount?: number | undefined;
}

/** A list that loads page by page. Pass it to `DataTable` unchanged. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  /** The number of rows on all pages; undefined if the API does not count. */
  readonly total: number | undefined;
  readonly isPending: boolean;
  /** The filters changed and the rows still belong to the previous ones. */
  readonly isStale: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

/**
 * A paged list of the API. `fetchPage` receives the number of rows to skip, which the API calls `skip` or `cursor`. Logs
 * and the audit log use opaque cursors, see `useCursorPages`.
 */
export function usePages<Row>(
  queryKey: QueryKey,
  fetchPage: (offset: number, signal: AbortSignal) => Promise<Page<Row>>,
  /** How often the list is read again while the page is open. */
  options: { readonly refetchInterval?: number } = {},
): Pages<Row> {
  const query = useInfiniteQuery({
    ...options,
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ pagination }, _pages, offset) =>
      pagination.hasMore ? offset + (pagination.limit ?? PAGE_SIZE) : undefined,
    placeholderData: keepPreviousData,
  });
  return usePresented(query);
}

interface CursorPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly nextCursor: string | null };
}

/**
 * Append-only lists can be long: their pages are not refetched, but loaded from the start whenever the page opens.
 */
const APPEND_ONLY = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  // Comparing all loaded rows would make each further page slower.
  structuralSharing: false,
};

/** A list with opaque cursors. `isAppendOnly`: existing entries never change, as in a log. */
export function useCursorPages<Row, Fetched extends CursorPage<Row>>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Fetched & CursorPage<Row>>,
  { isAppendOnly = false }: { readonly isAppendOnly?: boolean } = {},
): Pages<Row> & { readonly firstPage: Fetched | undefined } {
  const query = useInfiniteQuery({
    ...(isAppendOnly ? APPEND_ONLY : {}),
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined, // the first page has no cursor; a literal would narrow the type
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  return { ...usePresented(query), firstPage: query.data?.pages[0] };
}

interface PageQuery<Row> {
  readonly data:
    | { readonly pages: ReadonlyArray<{ readonly data: readonly Row[]; readonly totalCount?: number | undefined }> }
    | undefined;
  readonly isPending: boolean;
  readonly isPlaceholderData: boolean;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
  refetch(): Promise<unknown>;
}

function usePresented<Row>(query: PageQuery<Row>): Pages<Row> {
  const pages = query.data?.pages;
  const rows = useMemo(() => (pages ?? []).flatMap((page) => page.data), [pages]);
  return {
    rows,
    total: pages?.[0]?.totalCount,
    isPending: query.isPending,
    isStale: query.isPlaceholderData,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
