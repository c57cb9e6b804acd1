import type { ErrorComponentProps } from "@tanstack/react-router";
import { isReachable } from "../api/health.ts";
import { ErrorState } from "../components/error-state.tsx";

/** In place of a page that threw; the navigation around it goes on working. */
export function PageError({ error }: ErrorComponentProps) {
  // While nobody answers, loading it again would leave nothing to look at.
  const retry = async () => {
    if (await isReachable()) window.location.reload();
  };
  return <ErrorState error={error} onRetry={() => void retry()} />;
}
