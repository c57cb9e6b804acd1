import { z } from "zod";
import { flag, text } from "#api/kit/body-fields";
import { isEmail } from "#lib/email";
import { isWebUrl } from "#lib/web-url";
import {
  CHOICES,
  type ChoiceName,
  forEachSetting,
  SETTINGS,
  type SettingName,
  type Settings as StoredSettings,
  SWITCHES,
  type SwitchName,
  TEXTS,
} from "#records/settings";
import { SsoSettings, UpdateSsoSettings } from "./sso-settings.ts";

const words = {
  call_log_retention_days: "For how many days the call log is kept",
  call_stats_retention_days: "For how many days the statistics of calls are kept",
  audit_retention_days: "For how many days the audit is kept",
  tool_sync_interval_minutes: "After how many minutes servers' tools are read again",
  server_concurrent_calls: "How many calls go to one server at once",
  server_queued_calls: "How many more wait for their turn",
  server_queue_seconds: "For how many seconds they wait",
  server_failures_until_pause: "After how many failures in a row a server is left alone for a while",
  server_pause_seconds: "For how many seconds it is left alone",
  server_first_byte_seconds: "After how many seconds without a first byte of its answer a call is given up",
  server_idle_seconds: "After how many seconds of silence within an answer a call is given up",
  server_total_seconds: "After how many seconds a call is given up in any case",
  user_concurrent_calls: "How many calls one user may have under way at once",
  user_calls_per_minute: "How many calls one user may make in a minute; 0: as many as they like",
  payload_capture:
    "What is kept of what calls carry: `metadata` sizes and errors, `off` not even those, `redacted` arguments and results without what looks like a secret, `full` as they went; `off` also deletes what was kept",
  payload_retention_days: "For how many days arguments and results are kept",
  payload_storage_mb: "How many megabytes of them are kept at most; the oldest go first",
  help_contact:
    "Whom people ask when something of theirs does not work: an e-mail address, or the http or https address of a page",
  machine_secret_reveal:
    "Whether machine users' secrets can be looked at again; off deletes the copies that are kept for it",
  local_sign_in:
    "Whether people may sign in with a password; off takes an owner who has signed in with the identity provider",
} satisfies Record<keyof StoredSettings, string>;

function inEffect(name: SettingName) {
  return z.int().meta({ description: words[name], example: SETTINGS[name].fallback });
}

export const Settings = z
  .object({
    ...forEachSetting(inEffect),
    payload_capture: z
      .enum(CHOICES.payload_capture.choices)
      .meta({ description: words.payload_capture, example: "metadata" }),
    machine_secret_reveal: z.boolean().meta({ description: words.machine_secret_reveal, example: true }),
    local_sign_in: z.boolean().meta({ description: words.local_sign_in, example: true }),
    help_contact: z
      .string()
      .nullable()
      .meta({ description: `${words.help_contact}; null: nobody is named`, example: null }),
    sso: SsoSettings.nullable().describe("The organization's identity provider; null: none"),
  } satisfies Record<keyof StoredSettings | "sso", z.ZodType>)
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

function onOrOff(name: SwitchName) {
  return flag().nullish().describe(`${words[name]}; ${SWITCHES[name].fallback} unless set, and again with null`);
}

function oneOf(name: ChoiceName) {
  const { choices, fallback } = CHOICES[name];
  return z
    .enum(choices, { error: `must be one of ${choices.join(", ")}` })
    .nullish()
    .describe(`${words[name]}; ${fallback} unless set, and again with null`);
}

/** Shown as a link, so it must be nothing else than one of the two. */
const contact = text(TEXTS.help_contact.longest)
  .refine((value) => isEmail(value) || isWebUrl(value), {
    error: "must be an e-mail address, or an http or https URL",
  })
  .nullish()
  .describe(`${words.help_contact}; null: nobody is named`);

export const UpdateSettingsBody = z
  .object({
    ...forEachSetting(setting),
    payload_capture: oneOf("payload_capture"),
    machine_secret_reveal: onOrOff("machine_secret_reveal"),
    local_sign_in: onOrOff("local_sign_in"),
    help_contact: contact,
    sso: UpdateSsoSettings,
  } satisfies Record<keyof StoredSettings | "sso", z.ZodType>)
  .meta({
    id: "UpdateSettings",
    description: "What to change; what is left out stays",
    example: { call_log_retention_days: 30 },
  });
