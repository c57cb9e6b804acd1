import { badUsage } from "../failure.ts";
import { given } from "../read-json.ts";
import { type Noun, verb } from "../verb.ts";

const HINT = "n|default";

const get = verb({
  says: "Show the organization's settings",
  example: "gatehouse settings get",
  async run({ api, out }) {
    out.record((await api().getSettings({})).data);
  },
});

/** By its name in the API. */
const NUMBERS = {
  call_log_retention_days: "for how many days calls are kept in the log",
  call_stats_retention_days: "for how many days statistics of calls are kept",
  audit_retention_days: "for how many days the audit is kept",
  payload_retention_days: "for how many days what calls carried is kept",
  payload_storage_mb: "how many megabytes of that at most",
  tool_sync_interval_minutes: "how often servers' tools are read again",
  server_concurrent_calls: "how many calls go to one server at once",
  server_queued_calls: "how many more wait for their turn",
  server_queue_seconds: "for how long they wait",
  server_failures_until_pause: "after how many failures in a row a server is left alone",
  server_pause_seconds: "for how long it is left alone",
  server_first_byte_seconds: "how long the first byte of an answer is waited for",
  server_idle_seconds: "how long silence within an answer is borne",
  server_total_seconds: "how long a call may take in any case",
  user_concurrent_calls: "how many calls one user may have under way",
  user_calls_per_minute: "how many calls one user may make in a minute; 0: any number",
} as const;
type NumberName = keyof typeof NUMBERS;

const CAPTURE = "payload-capture";

const update = verb({
  says: "Change settings; what is not given stays as it is",
  options: {
    ...Object.fromEntries(
      Object.entries(NUMBERS).map(([name, says]) => [optionOf(name), { type: "text", hint: HINT, says } as const]),
    ),
    [CAPTURE]: {
      type: "choice",
      choices: ["off", "metadata", "redacted", "full", "default"],
      says: "what is kept of what calls carry",
    },
  },
  example: "gatehouse settings update --call-log-retention-days 30",
  async run({ api, options, out }) {
    const names = Object.keys(NUMBERS) as NumberName[]; // the keys of a constant
    const values: Readonly<Record<string, unknown>> = options;
    const numbers = names.map((name) => [name, readNumber(optionOf(name), values[optionOf(name)])] as const);
    const capture = options[CAPTURE];
    const body = given({
      ...(Object.fromEntries(numbers) as Record<NumberName, number | null | undefined>), // one for each
      payload_capture: capture === "default" ? null : capture,
    });
    if (Object.keys(body).length === 0) throw badUsage("there is nothing to change");
    const { data } = await api().updateSettings({ body });
    out.say("The settings are changed.");
    out.record(data);
  },
});

function optionOf(name: string): string {
  return name.replaceAll("_", "-");
}

function readNumber(option: string, text: unknown): number | null | undefined {
  if (typeof text !== "string") return undefined;
  if (text === "default") return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badUsage(`--${option} must be a whole number, or default, not "${text}"`);
}

export const settings: Noun = {
  says: "Settings of the organization",
  verbs: { get, update },
  example: "gatehouse settings get",
};
