import { useSyncExternalStore } from "react";

const NEAR_PX = 160;

/** Whether the head of the page is in sight: what comes in there moves nothing that somebody reads. */
export function useIsAtTop(): boolean {
  return useSyncExternalStore(onScroll, () => window.scrollY < NEAR_PX);
}

function onScroll(changed: () => void): () => void {
  window.addEventListener("scroll", changed, { passive: true });
  return () => window.removeEventListener("scroll", changed);
}
