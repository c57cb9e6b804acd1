import { useSyncExternalStore } from "react";

const NEAR_PX = 160;

/** Whether the page is scrolled to the top, where new rows do not move the rows that someone reads. */
export function useIsAtTop(): boolean {
  return useSyncExternalStore(onScroll, () => window.scrollY < NEAR_PX);
}

function onScroll(changed: () => void): () => void {
  window.addEventListener("scroll", changed, { passive: true });
  return () => window.removeEventListener("scroll", changed);
}
