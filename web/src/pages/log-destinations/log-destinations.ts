import type { Api, Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type LogDestination = Schemas["LogDestination"];
export type LogCursor = LogDestination["cursors"][number];
export type Kind = LogDestination["kind"];

export const destinationsKey = ["log-destinations"] as const;

export function fetchDestinations(api: Api, search: string | undefined, skip: number, signal: AbortSignal) {
  return api.listLogDestinations({ query: { search, skip, limit: 100 }, signal });
}

export const KIND_LABELS: Readonly<Record<Kind, string>> = {
  otlp: "OpenTelemetry",
  s3: "S3 bucket",
  webhook: "Webhook",
  file: "File",
};

export const SOURCE_LABELS: Readonly<Record<LogCursor["source"], string>> = {
  calls: "Call log",
  audit: "Audit log",
  checkpoints: "Audit checkpoints",
};

export const STATUS_LABELS: Readonly<
  Record<LogDestination["status"], { readonly label: string; readonly tone: Tone }>
> = {
  current: { label: "Up to date", tone: "good" },
  behind: { label: "Behind", tone: "warn" },
  failing: { label: "Failing", tone: "bad" },
  paused: { label: "Paused", tone: "quiet" },
};

/** When the newest record of any log was sent. */
export function lastSentAt(cursors: readonly Pick<LogCursor, "shipped_at">[]): string | undefined {
  return cursors
    .flatMap(({ shipped_at: at }) => (at === null ? [] : [at]))
    .sort()
    .at(-1);
}

/** The error of a log that fails comes first, then what the receiver rejected. */
export function lastErrorOf(cursors: readonly Pick<LogCursor, "last_error" | "failing_since">[]): string | undefined {
  const failing = cursors.find(({ failing_since }) => failing_since !== null);
  return (failing ?? cursors.find(({ last_error }) => last_error !== null))?.last_error ?? undefined;
}

/** Records that the receiver never gets. */
export function droppedRecords(cursors: readonly Pick<LogCursor, "lost_records" | "rejected_records">[]): number {
  return cursors.reduce((sum, { lost_records, rejected_records }) => sum + lost_records + rejected_records, 0);
}

/** "12 records, 40 s" */
export function lagText(cursors: readonly Pick<LogCursor, "lag_records" | "lag_seconds">[]): string {
  const records = cursors.reduce((sum, { lag_records }) => sum + lag_records, 0);
  if (records === 0) return "None";
  const seconds = Math.max(...cursors.map(({ lag_seconds }) => lag_seconds));
  return `${records.toLocaleString("en-US")} ${records === 1 ? "record" : "records"}, ${durationText(seconds)}`;
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Where records go, without the scheme. */
export function targetOf({ kind, url, bucket, prefix }: LogDestination): string {
  if (kind === "file") return `${prefix ?? ""}-….jsonl`;
  return kind === "s3" ? `${bucket}/${prefix ?? ""}` : (URL.parse(url ?? "")?.host ?? "");
}
