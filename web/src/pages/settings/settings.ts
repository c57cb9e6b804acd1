import { queryOptions } from "@tanstack/react-query";
import { SETTINGS } from "#openapi/constants";
import type { Api, Schemas } from "../../api/client.ts";

export type Settings = Schemas["Settings"];

/** The settings that are numbers. Labels, units, bounds and defaults are in `SETTINGS`. */
export type NumberSetting = {
  [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]["kind"] extends "number" ? Name : never;
}[keyof typeof SETTINGS];

export const settingsKey = ["settings"] as const;

export function settingsQuery(api: Api) {
  return queryOptions({
    queryKey: settingsKey,
    queryFn: async ({ signal }) => (await api.getSettings({ signal })).data,
  });
}

export const USER_LIMITS: readonly NumberSetting[] = ["user_concurrent_calls", "user_calls_per_minute"];

export const SERVER_LIMITS: readonly NumberSetting[] = [
  "server_concurrent_calls",
  "server_queued_calls",
  "server_queue_seconds",
  "server_failures_until_pause",
  "server_pause_seconds",
];

export const DEADLINES: readonly NumberSetting[] = [
  "server_first_byte_seconds",
  "server_idle_seconds",
  "server_total_seconds",
];

export const TOOL_SYNC: readonly NumberSetting[] = ["tool_sync_interval_minutes"];

export const RETENTION: readonly NumberSetting[] = [
  "call_log_retention_days",
  "call_stats_retention_days",
  "audit_retention_days",
];

export const PAYLOADS: readonly NumberSetting[] = ["payload_retention_days", "payload_storage_mb"];

const { choices, choiceLabels } = SETTINGS.payload_capture;
export const CAPTURES = choices.map((value) => ({ value, ...choiceLabels[value] }));
