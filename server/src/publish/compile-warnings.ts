import type { PublishedServer } from "./published-records.ts";

/**
 * Warnings about a server that callers receive with lists, so that missing tools are not mistaken for nonexistent ones.
 * They name the slug and the cause, never a URL (GW-22). Empty if there are none.
 */
export function compileWarnings(row: PublishedServer): string {
  return warningsOf(row)
    .map(([problem, message]) => JSON.stringify({ server: row.slug, problem, message }))
    .join(",");
}

type Warning = readonly [problem: "needs_setup" | "sync_failed" | "not_read" | "tools_held", message: string];

function warningsOf({
  slug,
  upstream_url,
  sync_error,
  tools_synced_at,
  auth_type,
  heldTools,
}: PublishedServer): Warning[] {
  if (upstream_url === null) return [["needs_setup", `Server "${slug}" is not set up yet`]];
  const warnings: Warning[] = [];
  const isSynced = tools_synced_at !== null;
  if (sync_error !== null) {
    warnings.push([
      "sync_failed",
      `${sync_error}; ${isSynced ? "its lists are from the last successful sync" : "it lists nothing yet"}`,
    ]);
  } else if (!isSynced) {
    const until = auth_type === "none" ? "" : "; it is synced with the credential of the first user who has one";
    warnings.push(["not_read", `Server "${slug}" has not been synced yet${until}`]);
  }
  if (heldTools > 0) {
    const tools = heldTools === 1 ? "1 tool" : `${heldTools} tools`;
    warnings.push(["tools_held", `${tools} of server "${slug}" changed and must be accepted by an admin`]);
  }
  return warnings;
}
