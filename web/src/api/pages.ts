import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Schemas } from "#openapi/types";

export const PAGE_SIZE = 100;

interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: Partial<Schemas["CursorPagination"]> & Partial<Schemas["SkipPagination"]>;
  readonly totalCount?: number | undefined;
}

/** What a list needs to be shown and to grow: hand it to `DataTable` as it is. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  /** Of all pages together; undefined where the API does not count. */
  readonly total: number | undefined;
  readonly isPending: boolean;
  /** Other filters were chosen, and what is shown still answers the ones before. */
  readonly isStale: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

/**
 * A list of the API, page after page. `fetchPage` gets how many entries to pass over, which is both what the API calls
 * `skip` and what it calls `cursor`; logs and audit have cursors of their own, see `useCursorPages`.
 */
export function usePages<Row>(
  queryKey: QueryKey,
  fetchPage: (offset: number, signal: AbortSignal) => Promise<Page<Row>>,
): Pages<Row> {
  const query = useInfiniteQuery({
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
 * What only ever grows at its head can be long: it is not asked for again page by page, but read anew whenever its page
 * is opened.
 */
const WRITTEN_ONCE = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  // Comparing what is there with itself, row by row, would make each further page slower than the one before.
  structuralSharing: false,
};

/** A list whose cursor only the API understands. `isWrittenOnce`: entries never change, as those of a log. */
export function useCursorPages<Row, Fetched extends CursorPage<Row>>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Fetched & CursorPage<Row>>,
  { isWrittenOnce = false }: { readonly isWrittenOnce?: boolean } = {},
): Pages<Row> & { readonly firstPage: Fetched | undefined } {
  const query = useInfiniteQuery({
    ...(isWrittenOnce ? WRITTEN_ONCE : {}),
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined, // the first page has none; a literal would narrow the type
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  return { ...usePresented(query), firstPage: query.data?.pages[0] };
}

interface Asked<Row> {
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

function usePresented<Row>(query: Asked<Row>): Pages<Row> {
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
