import { type RefObject, useEffect, useRef } from "react";

/** Scrolls a bar of links to its current link on small screens, without scrolling the page. */
export function useScrollToCurrent(current: string | undefined): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const currentLink = current === undefined ? null : bar.current?.querySelector("[aria-current]");
    if (!bar.current || !currentLink) return;
    const [frame, link] = [bar.current.getBoundingClientRect(), currentLink.getBoundingClientRect()];
    bar.current.scrollLeft += link.left + link.width / 2 - (frame.left + frame.width / 2);
  }, [current]);
  return bar;
}
