import { createHash } from "node:crypto";
import type { GivenReport } from "./check-report.ts";

const MAX_DEPTH = 20;

/** Everything in a report except its ID and time. */
export interface ReportContent {
  /** Equal for reports with the same content. */
  readonly digest: string;
  readonly text: string;
}

/** Undefined if the report is too deep. The URLs decide what is managed, so a change of them counts as new content. */
export function contentOf(given: GivenReport, gatewayUrls: readonly string[]): ReportContent | undefined {
  const { report_id: _id, scanned_at: _at, ...content } = given;
  if (!isShallow(content, MAX_DEPTH)) return undefined;
  const text = JSON.stringify([gatewayUrls, content]);
  return { digest: createHash("sha256").update(text).digest("base64url"), text };
}

/** The content that `contentOf` wrote. */
export function readContent(text: string): Omit<GivenReport, "report_id" | "scanned_at"> {
  const [, content] = JSON.parse(text);
  return content;
}

/** Entries are flat. Arrays that are nested many thousand times can be parsed, but not written. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
