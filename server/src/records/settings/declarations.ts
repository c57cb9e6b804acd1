/**
 * The organization settings that an admin can change at run time. Defaults, the API, the app, the CLI and
 * `docs/guide/settings.md` all come from this table; run `npm run openapi` after a change. A setting must have an effect.
 */

interface Declaration {
  /** One sentence for the API document, the CLI and the guide. */
  readonly description: string;
  /** Continues the description in the API document and the guide. */
  readonly details?: string;
  /** The label in the app. */
  readonly label: string;
  /** The help text below the field in the app. */
  readonly hint?: string;
}

interface NumberDeclaration extends Declaration {
  readonly kind: "number";
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
}

interface SwitchDeclaration extends Declaration {
  readonly kind: "switch";
  readonly default: boolean;
}

interface ChoiceDeclaration extends Declaration {
  readonly kind: "choice";
  readonly default: string;
  readonly choices: readonly string[];
  /** By choice. */
  readonly choiceLabels: Readonly<Record<string, { readonly label: string; readonly hint: string }>>;
}

interface TextDeclaration extends Declaration {
  readonly kind: "text";
  readonly default: null;
  readonly maxLength: number;
}

export const SETTINGS = {
  call_log_retention_days: {
    kind: "number",
    default: 90,
    minimum: 1,
    maximum: 3_650,
    unit: "days",
    description: "For how many days the call log is kept",
    label: "Call log",
  },
  // Longer than the log: the statistics of a minute are a few rows, no matter how many calls it had.
  call_stats_retention_days: {
    kind: "number",
    default: 400,
    minimum: 1,
    maximum: 3_650,
    unit: "days",
    description: "For how many days the statistics of calls are kept",
    label: "Statistics of calls",
  },
  // The minimum prevents somebody with a stolen token from deleting the record of what they did.
  audit_retention_days: {
    kind: "number",
    default: 365,
    minimum: 30,
    maximum: 3_650,
    unit: "days",
    description: "For how many days the audit is kept",
    label: "Audit",
  },
  tool_sync_interval_minutes: {
    kind: "number",
    default: 15,
    minimum: 1,
    maximum: 1_440,
    unit: "minutes",
    description: "After how many minutes servers' tools are read again",
    label: "Read servers' tools every",
    hint: "Besides when a server says that they have changed.",
  },
  server_concurrent_calls: {
    kind: "number",
    default: 64,
    minimum: 1,
    maximum: 256,
    unit: "calls",
    description: "How many calls go to one server at once",
    label: "Calls at once",
  },
  server_queued_calls: {
    kind: "number",
    default: 128,
    minimum: 0,
    maximum: 10_000,
    unit: "calls",
    description: "How many more wait for their turn",
    label: "Waiting calls",
    hint: "More than these are refused at once.",
  },
  server_queue_seconds: {
    kind: "number",
    default: 5,
    minimum: 1,
    maximum: 60,
    unit: "seconds",
    description: "For how many seconds they wait",
    label: "Longest wait",
  },
  server_failures_until_pause: {
    kind: "number",
    default: 5,
    minimum: 1,
    maximum: 1_000,
    unit: "failures",
    description: "After how many failures in a row a server is left alone for a while",
    label: "Failures until it is left alone",
    hint: "In a row.",
  },
  server_pause_seconds: {
    kind: "number",
    default: 30,
    minimum: 1,
    maximum: 3_600,
    unit: "seconds",
    description: "For how many seconds it is left alone",
    label: "Left alone for",
  },
  server_first_byte_seconds: {
    kind: "number",
    default: 60,
    minimum: 1,
    maximum: 900,
    unit: "seconds",
    description: "After how many seconds without a first byte of its answer a call is given up",
    label: "Until the first byte",
  },
  server_idle_seconds: {
    kind: "number",
    default: 60,
    minimum: 1,
    maximum: 900,
    unit: "seconds",
    description: "After how many seconds of silence within an answer a call is given up",
    label: "Silence within an answer",
    hint: "Progress counts as a sign of life.",
  },
  server_total_seconds: {
    kind: "number",
    default: 900,
    minimum: 1,
    maximum: 86_400,
    unit: "seconds",
    description: "After how many seconds a call is given up in any case",
    label: "In any case",
  },
  user_concurrent_calls: {
    kind: "number",
    default: 256,
    minimum: 1,
    maximum: 10_000,
    unit: "calls",
    description: "How many calls one user may have under way at once",
    label: "Calls at once",
  },
  user_calls_per_minute: {
    kind: "number",
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    unit: "calls",
    description: "How many calls one user may make in a minute; 0: as many as they like",
    label: "Calls in a minute",
    hint: "0: as many as they like.",
  },
  payload_retention_days: {
    kind: "number",
    default: 7,
    minimum: 1,
    maximum: 365,
    unit: "days",
    description: "For how many days arguments and results are kept",
    label: "Kept for",
  },
  payload_storage_mb: {
    kind: "number",
    default: 512,
    minimum: 1,
    maximum: 1_000_000,
    unit: "MB",
    description: "How many megabytes of them are kept at most; the oldest go first",
    label: "At most",
    hint: "The oldest go first.",
  },
  // Decision 0043.
  payload_capture: {
    kind: "choice",
    default: "metadata",
    choices: ["off", "metadata", "redacted", "full"],
    description: "What is kept of what calls carry",
    details:
      "`metadata` sizes and errors, `off` not even those, `redacted` arguments and results without what looks like a secret, `full` as they went; `off` also deletes what was kept",
    label: "What is kept of a call",
    choiceLabels: {
      off: { label: "Nothing", hint: "Not even sizes and errors. What was kept is deleted." },
      metadata: { label: "Sizes and errors", hint: "Who called what, when, how long it took, how it ended." },
      redacted: {
        label: "Arguments and results, redacted",
        hint: "Without what looks like a secret or is long.",
      },
      full: {
        label: "Arguments and results as they went",
        hint: "Sealed at rest; reading them takes a right of its own and is audited.",
      },
    },
  },
  // Spec 2.7: revealing secrets requires a sealed copy of each.
  machine_secret_reveal: {
    kind: "switch",
    default: true,
    description: "Whether machine users' secrets can be looked at again; off deletes the copies that are kept for it",
    label: "Secrets can be looked at again",
    hint: "By owners and admins who confirm who they are; each look is audited. Off: a secret is shown once, when it is made.",
  },
  local_sign_in: {
    kind: "switch",
    default: true,
    description:
      "Whether people may sign in with a password; off takes an owner who has signed in with the identity provider",
    label: "People may sign in with a password",
    hint: "Off: only through the identity provider. An owner must have signed in that way first, so that nobody is locked out.",
  },
  help_contact: {
    kind: "text",
    default: null,
    maxLength: 500,
    description:
      "Whom people ask when something of theirs does not work: an e-mail address, or the http or https address of a page",
    label: "E-mail address or page",
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
