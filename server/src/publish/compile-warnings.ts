import type { PublishedServer } from "./published-records.ts";

/**
 * What callers are told of a server beside its lists, so that tools which are missing are not taken for tools that do
 * not exist. Words that name the server by its slug and the cause, never an address (GW-22). Empty when all is well.
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
  const isRead = tools_synced_at !== null;
  if (sync_error !== null) {
    warnings.push([
      "sync_failed",
      `${sync_error}; ${isRead ? "what it lists is as it was last read" : "it lists nothing yet"}`,
    ]);
  } else if (!isRead) {
    const until = auth_type === "none" ? "" : "; it is once somebody has connected to it";
    warnings.push(["not_read", `Server "${slug}" has not been read yet${until}`]);
  }
  if (heldTools > 0) {
    const tools = heldTools === 1 ? "1 tool" : `${heldTools} tools`;
    warnings.push(["tools_held", `${tools} of server "${slug}" changed, and an admin has yet to accept that`]);
  }
  return warnings;
}
