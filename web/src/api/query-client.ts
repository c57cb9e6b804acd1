import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "#openapi/client";

const MAX_ATTEMPTS = 3;

/** Cached responses older than this are refetched when they are shown. */
const FRESH_MS = 15_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Offline requests fail instead of waiting, so that pages show an error. The connection banner triggers the refetch.
      queries: { staleTime: FRESH_MS, retry: shouldRetry, networkMode: "always" },
      // A write that may have succeeded is never repeated automatically.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** Retries network failures and server errors. Rejected requests would be rejected again. */
function shouldRetry(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 500;
  return failures < MAX_ATTEMPTS - 1 && (status === 0 || status >= 500);
}
