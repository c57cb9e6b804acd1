import { createHash } from "node:crypto";
import type { GivenReport } from "./check-report.ts";

const MAX_DEPTH = 20;

/**
 * Equal for reports that differ only in ID and time. Undefined if the report is too deep. The URLs decide what is managed,
 * so a change of them counts as new content.
 */
export function contentDigest(given: GivenReport, gatewayUrls: readonly string[]): string | undefined {
  const { report_id: _id, scanned_at: _at, age_seconds: _age, ...content } = given;
  if (!isShallow(content, MAX_DEPTH)) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([gatewayUrls, content]))
    .digest("base64url");
}

/** Entries are flat. Arrays that are nested many thousand times can be parsed, but not written. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
