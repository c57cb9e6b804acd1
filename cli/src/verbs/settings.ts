import { SETTINGS } from "#openapi/constants";
import { badUsage } from "../failure.ts";
import { given } from "../read-json.ts";
import { readTime } from "../read-time.ts";
import { type Noun, verb } from "../verb.ts";

const HINT = "n|default";

const get = verb({
  description: "Show all settings",
  example: "gatehouse settings get",
  async run({ api, out }) {
    out.record((await api().getSettings({})).data);
  },
});

type Name = keyof typeof SETTINGS;
type NumberName = { [Each in Name]: (typeof SETTINGS)[Each]["kind"] extends "number" ? Each : never }[Name];

const NUMBER_NAMES = (Object.keys(SETTINGS) as Name[]).filter(
  // the keys of a constant
  (name): name is NumberName => SETTINGS[name].kind === "number",
);

const CAPTURE = "payload-capture";
const CAPTURE_END = "payload-capture-until";
const DOCUMENTS = "client-id-documents";

const update = verb({
  description: "Change settings; omitted options stay unchanged",
  options: {
    ...Object.fromEntries(
      NUMBER_NAMES.map((name) => [optionOf(name), { type: "text", hint: HINT, description: help(name) } as const]),
    ),
    [CAPTURE]: {
      type: "choice",
      choices: [...SETTINGS.payload_capture.choices, "default"],
      description: help("payload_capture"),
    },
    [CAPTURE_END]: {
      type: "text",
      hint: "time",
      description: "when storing payloads ends: a time, a duration such as 7d, or none",
    },
    [DOCUMENTS]: {
      type: "choice",
      choices: [...SETTINGS.client_id_documents.choices, "default"],
      description: help("client_id_documents"),
    },
    "access-requests": { type: "switch", description: help("access_requests") },
    "allow-plugin-hooks": { type: "switch", description: help("allow_plugin_hooks") },
    "discovery-skill-texts": { type: "switch", description: help("discovery_skill_texts") },
  },
  example: "gatehouse settings update --call-log-retention-days 30",
  async run({ api, options, out, now }) {
    const values: Readonly<Record<string, unknown>> = options;
    const numbers = NUMBER_NAMES.map((name) => [name, readNumber(optionOf(name), values[optionOf(name)])] as const);
    const { [CAPTURE]: capture, [CAPTURE_END]: end, [DOCUMENTS]: documents } = options;
    const body = given({
      ...(Object.fromEntries(numbers) as Record<NumberName, number | null | undefined>), // one for each
      payload_capture: capture === "default" ? null : capture,
      payload_capture_until: end === "none" ? null : end && readTime(CAPTURE_END, end, now(), "ahead"),
      client_id_documents: documents === "default" ? null : documents,
      access_requests: options["access-requests"],
      allow_plugin_hooks: options["allow-plugin-hooks"],
      discovery_skill_texts: options["discovery-skill-texts"],
    });
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    const { data } = await api().updateSettings({ body });
    out.say("Updated settings.");
    out.record(data);
  },
});

function help(name: Name): string {
  const { description } = SETTINGS[name];
  return `${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

function optionOf(name: string): string {
  return name.replaceAll("_", "-");
}

function readNumber(option: string, text: unknown): number | null | undefined {
  if (typeof text !== "string") return undefined;
  if (text === "default") return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badUsage(`--${option} must be a whole number or "default", not "${text}"`);
}

export const settings: Noun = {
  description: "Organization settings",
  verbs: { get, update },
  example: "gatehouse settings get",
};
