import { countOf } from "#lib/count-of";
import { countValuesByKey } from "#records/data-keys";
import type { MainDb } from "#storage/database";
import { unwrapKey, type WrappedKey, type WrappingKey, WrongWrappingKey } from "#storage/wrapping-key";

export interface DataKeyStatus {
  readonly purpose: string;
  readonly version: number;
  readonly wrapped_by: string;
  /** The number of values that are sealed with it; for the pepper, the number of verifiers. */
  readonly values: number;
  readonly created_at: string;
}

export interface KeyStatus {
  readonly current_key: string | null;
  readonly previous_key: string | null;
  /** Null without a previous key. */
  readonly previous_key_may_be_removed: boolean | null;
  readonly data_keys: readonly DataKeyStatus[];
  /** Keys and values that cannot be decrypted. */
  readonly problems: readonly string[];
}

/** Changes nothing. `db` is undefined before the first start. */
export async function readKeyStatus(db: MainDb | undefined, keys: readonly WrappingKey[]): Promise<KeyStatus> {
  const rows = db ? await db.selectFrom("vault_keys").selectAll().orderBy("purpose").orderBy("version").execute() : [];
  const problems = new Set(rows.flatMap((row) => problemOf(row, keys)));
  const values = db && (await countValuesByKey(db, rows));
  for (const { count, table, column } of values?.lost ?? []) {
    problems.add(`Sealed with data keys that no longer exist: ${countOf(count, "value")} in ${table}.${column}`);
  }
  const [current, previous] = keys;
  return {
    current_key: current?.id ?? null,
    previous_key: previous?.id ?? null,
    previous_key_may_be_removed: previous ? rows.every((row) => row.wrapping_key_id === current?.id) : null,
    data_keys: rows.map(({ purpose, version, wrapping_key_id, created_at }) => ({
      purpose,
      version,
      wrapped_by: wrapping_key_id,
      values: values?.of({ purpose, version }) ?? 0,
      created_at: new Date(created_at).toISOString(),
    })),
    problems: [...problems],
  };
}

function problemOf(row: WrappedKey, keys: readonly WrappingKey[]): string[] {
  try {
    unwrapKey(keys, row);
    return [];
  } catch (error) {
    if (error instanceof WrongWrappingKey) return [error.message];
    throw error;
  }
}

export function describeKeyStatus(status: KeyStatus): string {
  const { current_key: current, previous_key: previous, data_keys: dataKeys } = status;
  const lines = [`Key file            ${current ?? "none yet; the first start creates it"}`];
  if (previous !== null) {
    const advice = status.previous_key_may_be_removed
      ? "not needed anymore: remove GATEHOUSE_PREVIOUS_KEY_FILE"
      : "still needed: run gatehouse keys rotate";
    lines.push(`Previous key file   ${previous}, ${advice}`);
  }
  const table = [
    ["PURPOSE", "VERSION", "WRAPPED BY", "VALUES"],
    ...dataKeys.map((key) => [key.purpose, String(key.version), key.wrapped_by, String(key.values)]),
  ];
  if (dataKeys.length > 0) lines.push("", ...table.map(tableLine));
  return `${[...lines, ...status.problems.map((problem) => `Problem: ${problem}`)].join("\n")}\n`;
}

function tableLine([purpose = "", version = "", wrappedBy = "", values = ""]: readonly string[]): string {
  return `${purpose.padEnd(20)}${version.padEnd(9)}${wrappedBy.padEnd(18)}${values.padStart(8)}`;
}
