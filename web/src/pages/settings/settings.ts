import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Settings = Schemas["Settings"];

/** The settings that are numbers. */
export type NumberSetting = {
  [Name in keyof Settings]: Settings[Name] extends number ? Name : never;
}[keyof Settings];

export interface NumberField {
  readonly name: NumberSetting;
  readonly label: string;
  readonly description?: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** What an empty field means. */
  readonly standard: number;
}

export const settingsKey = ["settings"] as const;

export function settingsQuery(api: Api) {
  return queryOptions({
    queryKey: settingsKey,
    queryFn: async ({ signal }) => (await api.getSettings({ signal })).data,
  });
}

export const USER_LIMITS: readonly NumberField[] = [
  { name: "user_concurrent_calls", label: "Calls at once", unit: "calls", min: 1, max: 10_000, standard: 256 },
  {
    name: "user_calls_per_minute",
    label: "Calls in a minute",
    description: "0: as many as they like.",
    unit: "calls",
    min: 0,
    max: 1_000_000,
    standard: 0,
  },
];

export const SERVER_LIMITS: readonly NumberField[] = [
  { name: "server_concurrent_calls", label: "Calls at once", unit: "calls", min: 1, max: 256, standard: 64 },
  {
    name: "server_queued_calls",
    label: "Waiting calls",
    description: "More than these are refused at once.",
    unit: "calls",
    min: 0,
    max: 10_000,
    standard: 128,
  },
  { name: "server_queue_seconds", label: "Longest wait", unit: "seconds", min: 1, max: 60, standard: 5 },
  {
    name: "server_failures_until_pause",
    label: "Failures until it is left alone",
    description: "In a row.",
    unit: "failures",
    min: 1,
    max: 1_000,
    standard: 5,
  },
  { name: "server_pause_seconds", label: "Left alone for", unit: "seconds", min: 1, max: 3_600, standard: 30 },
];

export const DEADLINES: readonly NumberField[] = [
  { name: "server_first_byte_seconds", label: "Until the first byte", unit: "seconds", min: 1, max: 900, standard: 60 },
  {
    name: "server_idle_seconds",
    label: "Silence within an answer",
    description: "Progress counts as a sign of life.",
    unit: "seconds",
    min: 1,
    max: 900,
    standard: 60,
  },
  { name: "server_total_seconds", label: "In any case", unit: "seconds", min: 1, max: 86_400, standard: 900 },
];

export const TOOL_SYNC: readonly NumberField[] = [
  {
    name: "tool_sync_interval_minutes",
    label: "Read servers' tools every",
    description: "Besides when a server says that they have changed.",
    unit: "minutes",
    min: 1,
    max: 1_440,
    standard: 15,
  },
];

export const RETENTION: readonly NumberField[] = [
  { name: "call_log_retention_days", label: "Call log", unit: "days", min: 1, max: 3_650, standard: 90 },
  {
    name: "call_stats_retention_days",
    label: "Statistics of calls",
    unit: "days",
    min: 1,
    max: 3_650,
    standard: 400,
  },
  { name: "audit_retention_days", label: "Audit", unit: "days", min: 30, max: 3_650, standard: 365 },
];

export const PAYLOADS: readonly NumberField[] = [
  { name: "payload_retention_days", label: "Kept for", unit: "days", min: 1, max: 365, standard: 7 },
  {
    name: "payload_storage_mb",
    label: "At most",
    description: "The oldest go first.",
    unit: "MB",
    min: 1,
    max: 1_000_000,
    standard: 512,
  },
];

export const CAPTURES = [
  { value: "off", label: "Nothing", words: "Not even sizes and errors. What was kept is deleted." },
  { value: "metadata", label: "Sizes and errors", words: "Who called what, when, how long it took, how it ended." },
  {
    value: "redacted",
    label: "Arguments and results, redacted",
    words: "Without what looks like a secret or is long.",
  },
  {
    value: "full",
    label: "Arguments and results as they went",
    words: "Sealed at rest; reading them takes a right of its own and is audited.",
  },
] as const;
