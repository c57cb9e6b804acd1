import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "#openapi/client";

const MOST_TRIES = 3;

/** Answers are shown at once and asked for again when they are older than this. */
const FRESH_MS = 15_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: isWorthAnotherTry },
      // A change that may have been made is never repeated by itself.
      mutations: { retry: false },
    },
  });
}

/** No answer, or one that blames the service. What is refused is refused the second time too. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 500;
  return failures < MOST_TRIES - 1 && (status === 0 || status >= 500);
}
