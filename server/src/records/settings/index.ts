import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";

/** What an admin may set for the organization, while it runs. A setting that nothing obeys is not here. */
export const SETTINGS = {
  call_log_retention_days: { fallback: 90, minimum: 1, maximum: 3_650 },
  /** Longer than the log itself: a minute of many calls is a few rows. */
  call_stats_retention_days: { fallback: 400, minimum: 1, maximum: 3_650 },
  /** Not shorter: whoever takes over a token must not be able to wipe out what was done with it. */
  audit_retention_days: { fallback: 365, minimum: 30, maximum: 3_650 },
  tool_sync_interval_minutes: { fallback: 15, minimum: 1, maximum: 1_440 },
  server_concurrent_calls: { fallback: 64, minimum: 1, maximum: 256 },
  server_queued_calls: { fallback: 128, minimum: 0, maximum: 10_000 },
  server_queue_seconds: { fallback: 5, minimum: 1, maximum: 60 },
  server_failures_until_pause: { fallback: 5, minimum: 1, maximum: 1_000 },
  server_pause_seconds: { fallback: 30, minimum: 1, maximum: 3_600 },
  server_first_byte_seconds: { fallback: 60, minimum: 1, maximum: 900 },
  server_idle_seconds: { fallback: 60, minimum: 1, maximum: 900 },
  server_total_seconds: { fallback: 900, minimum: 1, maximum: 86_400 },
  user_concurrent_calls: { fallback: 256, minimum: 1, maximum: 10_000 },
  /** 0: as many as they like. */
  user_calls_per_minute: { fallback: 0, minimum: 0, maximum: 1_000_000 },
  payload_retention_days: { fallback: 7, minimum: 1, maximum: 365 },
  payload_storage_mb: { fallback: 512, minimum: 1, maximum: 1_000_000 },
} as const;

/** Likewise, what is on or off. */
export const SWITCHES = {
  /** Spec 2.7: machine users' secrets can be looked at in the dashboard, for which a sealed copy is kept. */
  machine_secret_reveal: { fallback: true },
  /** Whether people may sign in with a password of ours, beside the identity provider. */
  local_sign_in: { fallback: true },
} as const;

/** Likewise, one of a few words. */
export const CHOICES = {
  /** Decision 0043. */
  payload_capture: { fallback: "metadata", choices: ["off", "metadata", "redacted", "full"] },
} as const;

/** Likewise, a text; null where there is none. */
export const TEXTS = {
  /** Whom people ask when something of theirs does not work: an e-mail address, or the address of a page. */
  help_contact: { longest: 500 },
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SwitchName = keyof typeof SWITCHES;
export type ChoiceName = keyof typeof CHOICES;
export type TextName = keyof typeof TEXTS;
type Chosen = { [Name in ChoiceName]: (typeof CHOICES)[Name]["choices"][number] };
export type Settings = Readonly<
  Record<SettingName, number> & Record<SwitchName, boolean> & Record<TextName, string | null> & Chosen
>;
/** Only what an admin has set, with whatever a newer release keeps beside it. */
type GivenSettings = Readonly<Record<string, unknown>>;

/** The id of the single settings row, also in change rows. */
export const SETTINGS_ID = "organization";

/** Something of every setting, by its name. */
export function forEachSetting<Value>(make: (name: SettingName) => Value): Record<SettingName, Value> {
  const names = Object.keys(SETTINGS) as SettingName[]; // the keys of a constant
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<SettingName, Value>; // one for each
}

export async function readSettings(db: MainDb): Promise<Settings> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", SETTINGS_ID).executeTakeFirst();
  return inEffect({ ...row?.value });
}

/** Omitted keeps, `null` goes back to the default. Two at once are done one after the other. */
export async function changeSettings(
  tx: MainTransaction,
  trail: WriteTrail,
  changes: { readonly [Name in keyof Settings]?: Settings[Name] | null | undefined },
  now: number,
): Promise<{ before: Settings; after: Settings }> {
  await tx
    .insertInto("settings")
    .values({ name: SETTINGS_ID, value: {}, updated_at: now })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const stored = tx.selectFrom("settings").select("value").where("name", "=", SETTINGS_ID);
  const { value } = await lockRows(tx, stored).executeTakeFirstOrThrow();
  const given: Record<string, unknown> = { ...value };
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) delete given[name];
    else if (change !== undefined) given[name] = change;
  }
  await tx.updateTable("settings").set({ value: given, updated_at: now }).where("name", "=", SETTINGS_ID).execute();
  trail.changed("settings", SETTINGS_ID);
  return { before: inEffect({ ...value }), after: inEffect(given) };
}

/**
 * A stored value that these bounds do not allow was written by another release, and counts as not given; but one beyond
 * the maximum counts as the maximum, because the shorter default would delete what is meant to be kept.
 */
function inEffect(given: GivenSettings): Settings {
  const value = (name: SettingName): number => {
    const { fallback, minimum, maximum } = SETTINGS[name];
    const stored = given[name];
    return typeof stored === "number" && stored >= minimum ? Math.min(stored, maximum) : fallback;
  };
  const isOn = (name: SwitchName): boolean => {
    const stored = given[name];
    return typeof stored === "boolean" ? stored : SWITCHES[name].fallback;
  };
  const chosen = <Name extends ChoiceName>(name: Name): Chosen[Name] => {
    const { choices, fallback } = CHOICES[name];
    return choices.find((choice) => choice === given[name]) ?? fallback;
  };
  const words = (name: TextName): string | null => {
    const stored = given[name];
    return typeof stored === "string" && stored.length <= TEXTS[name].longest ? stored : null;
  };
  return {
    ...forEachSetting(value),
    help_contact: words("help_contact"),
    payload_capture: chosen("payload_capture"),
    machine_secret_reveal: isOn("machine_secret_reveal"),
    local_sign_in: isOn("local_sign_in"),
  };
}
