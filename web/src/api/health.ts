import { queryOptions, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { withBasePath } from "./base-path.ts";

export type Health = "ready" | "degraded" | "unreachable";

/** Frequent enough that an outage is visible within 5 seconds. */
const POLL_MS = 2_500;
const TIMEOUT_MS = 5_000;

/** The state of the service, for the health dot and the connection banner. */
export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: async ({ signal }): Promise<Health> => {
    try {
      const answer = await fetch(withBasePath("/readyz"), {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        cache: "no-store",
      });
      const { status }: { status?: unknown } = await answer.json();
      return answer.ok && status === "ready" ? "ready" : "degraded";
    } catch (error) {
      if (signal.aborted) throw error;
      return "unreachable";
    }
  },
  refetchInterval: POLL_MS,
});

export type Connectivity = "offline" | Health | "checking";

/** The state of the browser's network and of the service. */
export function useConnectivity(): Connectivity {
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  const { data = "checking" } = useQuery(healthQuery);
  return isOnline ? data : "offline";
}

function onNetworkChange(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** Whether the service responds, regardless of the status. */
export function isReachable(): Promise<boolean> {
  return fetch(withBasePath("/readyz"), { cache: "no-store" }).then(
    () => true,
    () => false,
  );
}
