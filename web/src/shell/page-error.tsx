import type { ErrorComponentProps } from "@tanstack/react-router";
import { isReachable } from "../api/health.ts";
import { ErrorState } from "../components/error-state.tsx";

/** Replaces a page that crashed. The navigation keeps working. */
export function PageError({ error }: ErrorComponentProps) {
  // Reloading while the service is unreachable would show an empty window.
  const retry = async () => {
    if (await isReachable()) window.location.reload();
  };
  return <ErrorState error={error} onRetry={() => void retry()} />;
}
