import { z } from "zod";
import { SETTINGS, type SettingName } from "#records/settings";

const words = {
  call_log_retention_days: "For how many days the call log is kept",
  audit_retention_days: "For how many days the audit is kept",
  tool_sync_interval_minutes: "After how many minutes servers' tools are read again",
} satisfies Record<SettingName, string>;

function inEffect(name: SettingName) {
  return z.int().meta({ description: words[name], example: SETTINGS[name].fallback });
}

export const Settings = z
  .object({
    call_log_retention_days: inEffect("call_log_retention_days"),
    audit_retention_days: inEffect("audit_retention_days"),
    tool_sync_interval_minutes: inEffect("tool_sync_interval_minutes"),
  } satisfies Record<SettingName, z.ZodType>)
  .meta({ id: "Settings", description: "The organization's settings as they are in effect" });

/** `null` goes back to the default. */
function setting(name: SettingName) {
  const { minimum, maximum, fallback } = SETTINGS[name];
  const error = `must be between ${minimum} and ${maximum}`;
  return z
    .int({ error: "must be an integer" })
    .min(minimum, { error })
    .max(maximum, { error })
    .nullish()
    .describe(`${words[name]}; ${fallback} unless set, and again with null`);
}

export const UpdateSettingsBody = z
  .object({
    call_log_retention_days: setting("call_log_retention_days"),
    audit_retention_days: setting("audit_retention_days"),
    tool_sync_interval_minutes: setting("tool_sync_interval_minutes"),
  } satisfies Record<SettingName, z.ZodType>)
  .meta({
    id: "UpdateSettings",
    description: "What to change; what is left out stays",
    example: { call_log_retention_days: 30 },
  });
