import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";

/** Shorter lists render completely, so that find-in-page works. */
const FEW_ROWS = 150;
export const ROW_HEIGHT = 44;
export const COMPACT_ROW_HEIGHT = 32;

interface VisibleRows {
  readonly from: number;
  readonly to: number;
  /** The height in pixels of the rows that are not rendered. */
  readonly before: number;
  readonly after: number;
}

/** The rows of a long table to render for the current scroll position. All rows have the same height. */
export function useVisibleRows(body: RefObject<HTMLElement | null>, count: number, rowHeight: number): VisibleRows {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = body.current;
    if (element) setTop(element.getBoundingClientRect().top + window.scrollY);
  }, [body]);
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: count > FEW_ROWS,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
  });
  if (count <= FEW_ROWS) return { from: 0, to: count, before: 0, after: 0 };
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? -1) + 1;
  return { from, to, before: from * rowHeight, after: (count - to) * rowHeight };
}
