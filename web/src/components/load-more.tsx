import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import "./load-more.css";

export interface GrowingList {
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

/** The end of a list: loads more when it scrolls into view. The button retries after a failure. */
export function LoadMore({ list }: { list: GrowingList }) {
  const { hasMore, isLoadingMore, error, loadMore } = list;
  const end = useRef<HTMLDivElement>(null);
  const mayLoad = hasMore && !isLoadingMore && !error;
  useEffect(() => {
    const element = end.current;
    if (!mayLoad || !element) return;
    // Entries can arrive in batches; the last one is current.
    const load = (entries: IntersectionObserverEntry[]) => entries.at(-1)?.isIntersecting && loadMore();
    const observer = new IntersectionObserver(load, { rootMargin: "800px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, [mayLoad, loadMore]);
  if (!hasMore && !error) return null;
  return (
    <div ref={end} className="gh-more">
      <Button variant="subtle" color="gray" loading={isLoadingMore} onClick={loadMore}>
        {error ? "Could not load more. Retry" : "Load more"}
      </Button>
    </div>
  );
}
