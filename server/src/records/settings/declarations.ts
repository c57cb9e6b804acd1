import type {
  ChoiceDeclaration,
  Declaration,
  NumberDeclaration,
  SwitchDeclaration,
  TextDeclaration,
} from "./declaration.ts";
import { DISCOVERY_SETTINGS } from "./discovery-declarations.ts";

/**
 * The organization settings that an admin can change at run time. Defaults, the API, the app, the CLI and
 * `docs/guide/settings.md` all come from this table; run `npm run openapi` after a change. A setting must have an effect.
 */

export const SETTINGS = {
  call_log_retention_days: {
    kind: "number",
    default: 90,
    minimum: 1,
    maximum: 3_650,
    unit: "days",
    description: "Days to keep the call log",
    label: "Call log retention",
  },
  // Longer than the log: the statistics of a minute are a few rows, no matter how many calls it had.
  call_stats_retention_days: {
    kind: "number",
    default: 400,
    minimum: 1,
    maximum: 3_650,
    unit: "days",
    description: "Days to keep call statistics",
    label: "Call statistics retention",
  },
  // The minimum prevents an attacker with a stolen token from deleting their traces.
  audit_retention_days: {
    kind: "number",
    default: 365,
    minimum: 30,
    maximum: 3_650,
    unit: "days",
    description: "Days to keep the audit log",
    label: "Audit log retention",
  },
  tool_sync_interval_minutes: {
    kind: "number",
    default: 15,
    minimum: 1,
    maximum: 1_440,
    unit: "minutes",
    description: "Minutes between syncs of a server's tools",
    label: "Tool sync interval",
    hint: "Servers that report changes are also synced immediately.",
  },
  server_concurrent_calls: {
    kind: "number",
    default: 64,
    minimum: 1,
    maximum: 256,
    unit: "calls",
    description: "Maximum concurrent calls to one server",
    label: "Concurrent calls",
  },
  server_queued_calls: {
    kind: "number",
    default: 128,
    minimum: 0,
    maximum: 10_000,
    unit: "calls",
    description: "Maximum calls that wait for a free slot of one server",
    label: "Queued calls",
    hint: "Further calls are rejected immediately.",
  },
  server_queue_seconds: {
    kind: "number",
    default: 5,
    minimum: 1,
    maximum: 60,
    unit: "seconds",
    description: "Maximum seconds that a call waits in the queue",
    label: "Queue timeout",
  },
  server_failures_until_pause: {
    kind: "number",
    default: 5,
    minimum: 1,
    maximum: 1_000,
    unit: "failures",
    description: "Consecutive failures before calls to a server are paused",
    label: "Failures before pausing",
  },
  server_pause_seconds: {
    kind: "number",
    default: 30,
    minimum: 1,
    maximum: 3_600,
    unit: "seconds",
    description:
      "Longest pause of a failing server in seconds. A trial call is sent after 1, 2, 4 and so on up to this",
    label: "Pause duration",
  },
  server_first_byte_seconds: {
    kind: "number",
    default: 300,
    minimum: 1,
    maximum: 900,
    unit: "seconds",
    description: "Seconds to wait for the first byte of a response",
    label: "First byte timeout",
  },
  server_idle_seconds: {
    kind: "number",
    default: 300,
    minimum: 1,
    maximum: 900,
    unit: "seconds",
    description: "Seconds without data before a response times out",
    label: "Idle timeout",
    hint: "Progress notifications reset this timeout.",
  },
  server_total_seconds: {
    kind: "number",
    default: 900,
    minimum: 1,
    maximum: 86_400,
    unit: "seconds",
    description: "Maximum duration of a call in seconds",
    label: "Total timeout",
  },
  user_concurrent_calls: {
    kind: "number",
    default: 256,
    minimum: 1,
    maximum: 10_000,
    unit: "calls",
    description: "Maximum concurrent calls of one user",
    label: "Concurrent calls",
  },
  user_calls_per_minute: {
    kind: "number",
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    unit: "calls",
    description: "Maximum calls of one user per minute; 0 means unlimited",
    label: "Calls per minute",
  },
  // F17: how long clients wait differs, and most give up after a minute.
  approval_wait_seconds: {
    kind: "number",
    default: 30,
    minimum: 0,
    maximum: 300,
    unit: "seconds",
    description: "Seconds that a call waits for an approval before it is answered; 0 answers immediately",
    label: "Approval wait",
    hint: "Afterwards, an approved call must be sent again. Many MCP clients stop waiting after 60 seconds.",
  },
  payload_retention_days: {
    kind: "number",
    default: 7,
    minimum: 1,
    maximum: 365,
    unit: "days",
    description: "Days to keep arguments and results",
    label: "Payload retention",
  },
  payload_storage_mb: {
    kind: "number",
    default: 512,
    minimum: 1,
    maximum: 1_000_000,
    unit: "MB",
    description: "Maximum storage for arguments and results in megabytes; the oldest are deleted first",
    label: "Payload storage",
  },
  ...DISCOVERY_SETTINGS,
  // Decision 0043.
  payload_capture: {
    kind: "choice",
    default: "metadata",
    choices: ["off", "metadata", "redacted", "full"],
    description: "What to record of each call",
    details:
      "`off` only user, tool, time, and outcome; `metadata` also sizes and errors; `redacted` also arguments and results with secrets removed; `full` unchanged arguments and results. `off` deletes stored payloads",
    label: "Recorded data",
    choiceLabels: {
      off: { label: "Minimal", hint: "User, tool, time, and outcome. Stored payloads are deleted." },
      metadata: { label: "Metadata", hint: "Also sizes and error messages." },
      redacted: {
        label: "Redacted payloads",
        hint: "Also arguments and results, with secrets removed and long values truncated.",
      },
      full: {
        label: "Full payloads",
        hint: "Unchanged arguments and results, encrypted at rest. Viewing them requires a separate permission and is audited.",
      },
    },
  },
  payload_capture_until: {
    kind: "text",
    default: null,
    maxLength: 30,
    description: "When storing payloads ends",
    details: "after this time, `payload_capture` has the effect of `metadata`. Changing `payload_capture` removes it",
    label: "Store payloads until",
  },
  // Spec 2.7: revealing secrets requires a sealed copy of each.
  machine_secret_reveal: {
    kind: "switch",
    default: true,
    description: "Whether secrets of machine users can be revealed again; turning it off deletes the stored copies",
    label: "Reveal machine user secrets",
    hint: "Owners and admins can reveal a secret again after confirming their identity. Each access is audited. When off, a secret is shown only once, when it is created.",
  },
  local_sign_in: {
    kind: "switch",
    default: true,
    description:
      "Whether people can sign in with a password; before it can be turned off, an owner must have signed in with the identity provider",
    label: "Password sign-in",
    hint: "When off, people can sign in only with the identity provider. An owner must have signed in that way first.",
  },
  // Decision 0068.
  client_id_documents: {
    kind: "choice",
    default: "auto",
    choices: ["auto", "on", "off"],
    description: "Whether MCP clients can identify themselves with client ID metadata documents",
    details:
      "`auto` advertises it only while such documents can be fetched; `on` always; `off` never, and no document is read. Without it, clients register themselves",
    label: "Client ID metadata documents",
    hint: "MCP clients such as Claude Code publish such a document at an HTTPS URL, which Gatehouse must be able to read. Otherwise they register themselves.",
    choiceLabels: {
      auto: { label: "Automatic", hint: "Advertised only while such documents can be read." },
      on: { label: "On", hint: "Always advertised." },
      off: {
        label: "Off",
        hint: "Never advertised. No document is read; MCP clients that used one must connect again.",
      },
    },
  },
  access_requests: {
    kind: "switch",
    default: true,
    description: "Whether members see all active servers and can request access to them",
    label: "Access requests",
    hint: "Members see the names, descriptions and tools of all active servers.",
  },
  // F43: hooks run commands on the computers of users.
  allow_plugin_hooks: {
    kind: "switch",
    default: false,
    description: "Whether plugins can contain hooks, which run commands on the computers of users",
    label: "Hooks in plugins",
    hint: "Hooks run commands on the computers of everyone who installs the plugin.",
  },
  help_contact: {
    kind: "text",
    default: null,
    maxLength: 500,
    description: "Email or URL shown to people who need help",
    label: "Help contact",
  },
} as const satisfies Record<string, NumberDeclaration | SwitchDeclaration | ChoiceDeclaration | TextDeclaration>;

export type SettingName = keyof typeof SETTINGS;

type NamesOfKind<Kind extends string> = {
  [Name in SettingName]: (typeof SETTINGS)[Name]["kind"] extends Kind ? Name : never;
}[SettingName];
export type NumberSettingName = NamesOfKind<"number">;
export type SwitchSettingName = NamesOfKind<"switch">;
export type ChoiceSettingName = NamesOfKind<"choice">;
export type TextSettingName = NamesOfKind<"text">;

type ChoiceValues = { [Name in ChoiceSettingName]: (typeof SETTINGS)[Name]["choices"][number] };
export type Settings = Readonly<
  Record<NumberSettingName, number> &
    Record<SwitchSettingName, boolean> &
    Record<TextSettingName, string | null> &
    ChoiceValues
>;

/** A value for each setting that is a number, by name. */
export function forEachNumberSetting<Value>(
  make: (name: NumberSettingName) => Value,
): Record<NumberSettingName, Value> {
  const names = Object.keys(SETTINGS) as SettingName[]; // the keys of a constant
  const entries = names.flatMap((name) => (isNumberSetting(name) ? [[name, make(name)] as const] : []));
  return Object.fromEntries(entries) as Record<NumberSettingName, Value>; // one for each name
}

function isNumberSetting(name: SettingName): name is NumberSettingName {
  return SETTINGS[name].kind === "number";
}

/** The description with its details, as the API document shows it. */
export function settingDescription(name: SettingName): string {
  const { description, details }: Declaration = SETTINGS[name];
  return details === undefined ? description : `${description}: ${details}`;
}
