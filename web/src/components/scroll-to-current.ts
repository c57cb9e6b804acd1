import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";

/** Scrolls a bar of links to its current link on small screens, without scrolling the page. */
export function useScrollToCurrent(current: string | undefined): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(() => {
    const scroll = () => {
      const currentLink = current === undefined ? null : bar.current?.querySelector("[aria-current]");
      if (!bar.current || !currentLink) return;
      const [frame, link] = [bar.current.getBoundingClientRect(), currentLink.getBoundingClientRect()];
      bar.current.scrollLeft += link.left + link.width / 2 - (frame.left + frame.width / 2);
    };
    scroll();
    // After each navigation, the router restores the scroll positions of elements that the previous page also had.
    return router.subscribe("onRendered", scroll);
  }, [current, router]);
  return bar;
}
