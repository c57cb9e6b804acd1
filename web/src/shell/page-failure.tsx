import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "../components/error-state.tsx";

/** In place of a page that threw; the navigation around it goes on working. */
export function PageFailure({ error }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={() => window.location.reload()} />;
}
