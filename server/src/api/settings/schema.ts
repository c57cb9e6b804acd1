import { z } from "zod";
import { flag, text } from "#api/kit/body-fields";
import { isEmail } from "#lib/email";
import { isWebUrl } from "#lib/web-url";
import {
  type ChoiceSettingName,
  forEachNumberSetting,
  type NumberSettingName,
  SETTINGS,
  type SettingName,
  type Settings as StoredSettings,
  type SwitchSettingName,
  settingDescription,
} from "#records/settings";
import { SsoSettings, UpdateSsoSettings } from "./sso-settings.ts";

function inEffect(name: NumberSettingName) {
  return z.int().meta({ description: settingDescription(name), example: SETTINGS[name].default });
}

export const Settings = z
  .object({
    ...forEachNumberSetting(inEffect),
    payload_capture: z
      .enum(SETTINGS.payload_capture.choices)
      .meta({ description: settingDescription("payload_capture"), example: "metadata" }),
    payload_capture_until: z
      .string()
      .nullable()
      .meta({
        description: `${settingDescription("payload_capture_until")}. Null: it does not end`,
        format: "date-time",
        example: null,
      }),
    client_id_documents: z
      .enum(SETTINGS.client_id_documents.choices)
      .meta({ description: settingDescription("client_id_documents"), example: "auto" }),
    machine_secret_reveal: z
      .boolean()
      .meta({ description: settingDescription("machine_secret_reveal"), example: true }),
    access_requests: z.boolean().meta({ description: settingDescription("access_requests"), example: true }),
    local_sign_in: z.boolean().meta({ description: settingDescription("local_sign_in"), example: true }),
    allow_plugin_hooks: z.boolean().meta({ description: settingDescription("allow_plugin_hooks"), example: false }),
    discovery_skill_texts: z
      .boolean()
      .meta({ description: settingDescription("discovery_skill_texts"), example: false }),
    help_contact: z
      .string()
      .nullable()
      .meta({ description: `${settingDescription("help_contact")}; null: not set`, example: null }),
    sso: SsoSettings.nullable().describe("The identity provider; null: none"),
  } satisfies Record<keyof StoredSettings | "sso", z.ZodType>)
  .meta({ id: "Settings", description: "The organization settings in effect" });

function withDefault(name: SettingName): string {
  return `${settingDescription(name)}. Default: ${SETTINGS[name].default}. Null restores the default`;
}

/** `null` restores the default. */
function setting(name: NumberSettingName) {
  const { minimum, maximum } = SETTINGS[name];
  const error = `must be between ${minimum} and ${maximum}`;
  return z
    .int({ error: "must be an integer" })
    .min(minimum, { error })
    .max(maximum, { error })
    .nullish()
    .describe(withDefault(name));
}

function onOrOff(name: SwitchSettingName) {
  return flag().nullish().describe(withDefault(name));
}

function oneOf<const Choice extends string>(name: ChoiceSettingName, choices: readonly Choice[]) {
  return z
    .enum(choices, { error: `must be one of ${choices.join(", ")}` })
    .nullish()
    .describe(withDefault(name));
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/;

/** Pages show it as a link, so it must be an email or a URL. */
const contact = text(SETTINGS.help_contact.maxLength)
  .refine((value) => isEmail(value) || isWebUrl(value), {
    error: "must be an email, or an http or https URL",
  })
  .nullish()
  .describe(`${settingDescription("help_contact")}. Null removes it`);

const captureEnd = text(SETTINGS.payload_capture_until.maxLength)
  .refine((value) => ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)), {
    error: "must be an ISO 8601 time in UTC, such as 2027-01-31T09:30:00Z",
  })
  .nullish()
  .describe(`${settingDescription("payload_capture_until")}. Null: it does not end`);

export const UpdateSettingsBody = z
  .object({
    ...forEachNumberSetting(setting),
    payload_capture: oneOf("payload_capture", SETTINGS.payload_capture.choices),
    payload_capture_until: captureEnd,
    client_id_documents: oneOf("client_id_documents", SETTINGS.client_id_documents.choices),
    machine_secret_reveal: onOrOff("machine_secret_reveal"),
    access_requests: onOrOff("access_requests"),
    local_sign_in: onOrOff("local_sign_in"),
    allow_plugin_hooks: onOrOff("allow_plugin_hooks"),
    discovery_skill_texts: onOrOff("discovery_skill_texts"),
    help_contact: contact,
    sso: UpdateSsoSettings,
  } satisfies Record<keyof StoredSettings | "sso", z.ZodType>)
  .meta({
    id: "UpdateSettings",
    description: "The settings to change; omitted settings keep their value",
    example: { call_log_retention_days: 30 },
  });
