import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "../api/client.ts";
import { isReachable, useConnectivity } from "../api/health.ts";
import { ErrorState } from "../components/error-state.tsx";

/** Replaces a page that crashed. The navigation keeps working. */
export function PageError({ error }: ErrorComponentProps) {
  const connectivity = useConnectivity();
  const isOutage = error instanceof ApiError && error.status === 0;
  useEffect(() => {
    if (isOutage && connectivity === "ready") void reloadIfReachable();
  }, [isOutage, connectivity]);
  return <ErrorState error={error} onRetry={() => void reloadIfReachable()} />;
}

/** Reloading while the service is unreachable would show an empty window. */
async function reloadIfReachable(): Promise<void> {
  if (await isReachable()) window.location.reload();
}
