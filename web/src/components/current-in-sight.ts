import { type RefObject, useEffect, useRef } from "react";

/** On a small screen a bar of links scrolls: brings its open one into sight, without a move of the page itself. */
export function useCurrentInSight(current: string | undefined): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const open = current === undefined ? null : bar.current?.querySelector("[aria-current]");
    if (!bar.current || !open) return;
    const [frame, link] = [bar.current.getBoundingClientRect(), open.getBoundingClientRect()];
    bar.current.scrollLeft += link.left + link.width / 2 - (frame.left + frame.width / 2);
  }, [current]);
  return bar;
}
