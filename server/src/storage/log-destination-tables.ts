import type { CallOutcome } from "#lib/call-vocabulary";

export const LOG_SOURCES = ["calls", "audit"] as const;
export type LogSource = (typeof LOG_SOURCES)[number];
/** Signed checkpoints are shipped with the audit log, with a separate cursor. */
export type CursorSource = LogSource | "checkpoints";

export const LOG_DESTINATION_KINDS = ["otlp", "s3", "webhook", "file"] as const;
export type LogDestinationKind = (typeof LOG_DESTINATION_KINDS)[number];

/** The fields of a kind that are not secret. */
export interface LogDestinationConfig {
  /** `otlp` and `webhook`: the receiver. `s3`: the endpoint. */
  readonly url?: string;
  readonly region?: string;
  readonly bucket?: string;
  readonly addressing?: "path" | "virtual_host";
  readonly access_key_id?: string;
  /** `s3`: the start of object keys. `file`: the start of file names. */
  readonly prefix?: string;
  readonly header_names?: readonly string[];
}

export interface LogDestinationRow {
  id: string;
  name: string;
  /** Folded, so that names are unique regardless of case. */
  name_key: string;
  kind: LogDestinationKind;
  sources: LogSource[];
  /** Only calls with these outcomes are sent. Null: all. */
  outcomes: CallOutcome[] | null;
  config: LogDestinationConfig;
  /** JSON. Null: the kind has none. */
  sealed_secrets: string | null;
  enabled: boolean;
  created_by: string;
  created_at: number;
  updated_at: number;
}

export interface LogCursorRow {
  destination_id: string;
  source: CursorSource;
  /** The number of the last record that was shipped. */
  position: number;
  /** The highest position so far. */
  furthest: number;
  shipped: number;
  /** Records that retention deleted before they were shipped. */
  lost: number;
  lost_at: number | null;
  /** Records that the receiver reported as rejected. */
  rejected: number;
  shipped_at: number | null;
  /** When the next batch may be sent. */
  due_at: number;
  /** Failed attempts since the last successful one. */
  failures: number;
  failing_since: number | null;
  last_error: string | null;
  claimed_by: string | null;
  claimed_until: number;
}

export interface LogDestinationTables {
  log_destinations: LogDestinationRow;
  log_cursors: LogCursorRow;
}
