import { z } from "zod";
import { SETTINGS, type SettingName } from "#records/settings";

export const Settings = z
  .object({
    call_log_retention_days: z.int(),
    audit_retention_days: z.int(),
    tool_sync_interval_minutes: z.int(),
  } satisfies Record<SettingName, z.ZodType>)
  .meta({ id: "Settings" });

/** `null` goes back to the default. */
function setting(name: SettingName, description: string) {
  const { minimum, maximum, fallback } = SETTINGS[name];
  const error = `must be between ${minimum} and ${maximum}`;
  return z
    .int({ error: "must be an integer" })
    .min(minimum, { error })
    .max(maximum, { error })
    .nullish()
    .describe(`${description}; ${fallback} unless set, and again with null`);
}

export const UpdateSettingsBody = z
  .object({
    call_log_retention_days: setting("call_log_retention_days", "For how many days the call log is kept"),
    audit_retention_days: setting("audit_retention_days", "For how many days the audit is kept"),
    tool_sync_interval_minutes: setting("tool_sync_interval_minutes", "How often servers' tools are read again"),
  } satisfies Record<SettingName, z.ZodType>)
  .meta({ id: "UpdateSettings" });
