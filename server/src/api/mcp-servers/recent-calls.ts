import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import type { RecentCalls as RecentCallsOfServer } from "#records/calls";

export const RECENT_DESCRIPTION = "Summary of the last calls (at most 20); null if it was never called";
export const RecentCalls = z.object({
  last_at: timestamp("Time of the last call"),
  calls: z.int().describe("Number of calls sent to the server"),
  failed: z.int().describe("Number of these calls without a response from the server"),
  median_ms: z.number().nullable().describe("Median duration of the answered calls; null if none was answered"),
});

export function presentRecent({ lastAt, calls, failed, medianUs }: RecentCallsOfServer) {
  return { last_at: isoTime(lastAt), calls, failed, median_ms: medianUs === undefined ? null : medianUs / 1_000 };
}
