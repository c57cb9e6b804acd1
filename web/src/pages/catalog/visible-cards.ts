import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";

const GAP = 12;
/** As in catalog.css. */
const MIN_WIDTH = 304;
export const CARD_HEIGHT = 156;
/** Shorter lists are rendered completely, so find-in-page works. */
const FEW_CARDS = 120;

/** The cards of a long grid that exist, by scroll position. All cards have the same height. */
export function useVisibleCards(count: number) {
  const list = useRef<HTMLUListElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLUListElement>();
  const ref = useMergedRef(list, sizeRef);
  const columns = Math.max(1, Math.floor((width + GAP) / (MIN_WIDTH + GAP)));
  const rows = Math.ceil(count / columns);
  const virtualizer = useWindowVirtualizer({
    count: rows,
    enabled: count > FEW_CARDS,
    estimateSize: () => CARD_HEIGHT + GAP,
    overscan: 4,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  if (count <= FEW_CARDS) return { ref, from: 0, to: count, before: 0, after: 0 };
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = (items.at(-1)?.index ?? -1) + 1;
  const heightOf = (number: number) => number * (CARD_HEIGHT + GAP);
  return { ref, from: first * columns, to: last * columns, before: heightOf(first), after: heightOf(rows - last) };
}
