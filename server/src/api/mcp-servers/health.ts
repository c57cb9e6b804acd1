import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { causeOfFailure, FAILURE_CAUSES } from "#lib/failure-cause";
import { FAILING_MS, type RecentCalls } from "#records/calls";
import type { McpServerRow } from "#storage/server-tables";

export const HEALTH_DESCRIPTION = "Health of the server, from its last sync and its last calls";
export const Health = z.object({
  status: z
    .enum(["healthy", "failing", "unreachable", "not_synced"])
    .describe(
      "`unreachable`: the last sync failed; `failing`: at least 3 of the last 5 calls failed; `not_synced`: its tools were never synced",
    ),
  cause: z.enum(FAILURE_CAUSES).nullable().describe("Cause of the failure; null if there is none"),
  message: z.string().nullable().meta({
    description: "The failure in a few words; null if healthy",
    example: "DNS lookup failed for api.example.com",
  }),
  since: timestamp("When the failure started; null if unknown or healthy").nullable(),
});

const HEALTHY = { status: "healthy", cause: null, message: null, since: null } as const;

/** A failed sync takes precedence, because no call can work meanwhile. */
export function presentHealth(
  row: Pick<McpServerRow, "upstream_url" | "auth_type" | "sync_error" | "sync_failed_at" | "tools_synced_at">,
  recent: RecentCalls | undefined,
  now: number,
): z.input<typeof Health> {
  const { upstream_url: url, sync_error: syncError, sync_failed_at: failedAt } = row;
  if (url === null) return notSynced(syncError ?? "No server URL is set");
  const host = URL.canParse(url) ? new URL(url).host : undefined;
  if (syncError !== null) {
    const { cause, text } = causeOfFailure(syncError, { host });
    return { status: "unreachable", cause, message: text, since: timeOrNull(failedAt) };
  }
  if (recent?.failure && recent.failure.lastAt >= now - FAILING_MS) {
    const { outcome, error = "", durationUs, since } = recent.failure;
    const seconds = outcome === "timeout" ? Math.round(durationUs / 1_000_000) : undefined;
    const { cause, text } = causeOfFailure(error, { host, seconds });
    return { status: "failing", cause, message: text === "" ? "Calls fail" : text, since: isoTime(since) };
  }
  if (row.tools_synced_at !== null) return HEALTHY;
  return notSynced(
    {
      none: "The first sync has not finished yet",
      "proxy-oauth": FIRST_CONNECTION,
      "proxy-api-key": FIRST_CONNECTION,
      "exchanged-token": "Tools are synced when the first user with an exchanged token lists tools",
    }[row.auth_type],
  );
}

const FIRST_CONNECTION = "Tools are synced after the first user connects their account";

function notSynced(message: string): z.input<typeof Health> {
  return { status: "not_synced", cause: null, message, since: null };
}

function timeOrNull(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : isoTime(time);
}
