import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import {
  forEachNumberSetting,
  type NumberSettingName,
  SETTINGS,
  type Settings,
  type SwitchSettingName,
  type TextSettingName,
} from "./declarations.ts";

/** The stored values: only settings that were changed, including those that a newer release stored. */
type StoredSettings = Readonly<Record<string, unknown>>;

/** The id of the single settings row, also in change rows. */
export const SETTINGS_ID = "organization";

export async function readSettings(db: MainDb): Promise<Settings> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", SETTINGS_ID).executeTakeFirst();
  return effectiveSettings({ ...row?.value });
}

/** A missing name keeps its value, and `null` restores the default. Concurrent changes run one after the other. */
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
  const query = tx.selectFrom("settings").select("value").where("name", "=", SETTINGS_ID);
  const { value } = await lockRows(tx, query).executeTakeFirstOrThrow();
  const stored: Record<string, unknown> = { ...value };
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) delete stored[name];
    else if (change !== undefined) stored[name] = change;
  }
  await tx.updateTable("settings").set({ value: stored, updated_at: now }).where("name", "=", SETTINGS_ID).execute();
  trail.changed("settings", SETTINGS_ID);
  return { before: effectiveSettings({ ...value }), after: effectiveSettings(stored) };
}

/**
 * A stored value outside the bounds comes from a different release and counts as missing. A value above the maximum
 * counts as the maximum, because the lower default would delete data that should be kept.
 */
function effectiveSettings(stored: StoredSettings): Settings {
  const numberOf = (name: NumberSettingName): number => {
    const { default: fallback, minimum, maximum } = SETTINGS[name];
    const value = stored[name];
    return typeof value === "number" && value >= minimum ? Math.min(value, maximum) : fallback;
  };
  const switchOf = (name: SwitchSettingName): boolean => {
    const value = stored[name];
    return typeof value === "boolean" ? value : SETTINGS[name].default;
  };
  const choiceOf = <const Choice extends string>(
    { choices, default: fallback }: { readonly choices: readonly Choice[]; readonly default: Choice },
    value: unknown,
  ): Choice => choices.find((choice) => choice === value) ?? fallback;
  const textOf = (name: TextSettingName): string | null => {
    const value = stored[name];
    return typeof value === "string" && value.length <= SETTINGS[name].maxLength ? value : null;
  };
  return {
    ...forEachNumberSetting(numberOf),
    help_contact: textOf("help_contact"),
    payload_capture_until: textOf("payload_capture_until"),
    payload_capture: choiceOf(SETTINGS.payload_capture, stored.payload_capture),
    client_id_documents: choiceOf(SETTINGS.client_id_documents, stored.client_id_documents),
    machine_secret_reveal: switchOf("machine_secret_reveal"),
    access_requests: switchOf("access_requests"),
    local_sign_in: switchOf("local_sign_in"),
    allow_plugin_hooks: switchOf("allow_plugin_hooks"),
    discovery_skill_texts: switchOf("discovery_skill_texts"),
  };
}
