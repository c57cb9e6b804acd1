import { queryOptions } from "@tanstack/react-query";
import { withBasePath } from "./base-path.ts";

export type Health = "ready" | "degraded" | "unreachable";

/** The state shown by the health dot in the top bar. */
export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: async ({ signal }): Promise<Health> => {
    try {
      const answer = await fetch(withBasePath("/readyz"), { signal });
      const { status }: { status?: unknown } = await answer.json();
      return answer.ok && status === "ready" ? "ready" : "degraded";
    } catch (error) {
      if (signal.aborted) throw error;
      return "unreachable";
    }
  },
  refetchInterval: 30_000,
});

/** Whether the service responds, regardless of the status. */
export function isReachable(): Promise<boolean> {
  return fetch(withBasePath("/readyz"), { cache: "no-store" }).then(
    () => true,
    () => false,
  );
}
