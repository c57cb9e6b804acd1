import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { MainDb, MainTransaction } from "./database.ts";
import { hasTable } from "./has-table.ts";
import type { MainTables } from "./tables.ts";
import { assertNoUnfinishedRestore } from "./unfinished-restore.ts";
import { type DataKey, VAULT_PURPOSES, Vault, type VaultNeeds, type VaultPurpose } from "./vault.ts";
import { unwrapKey, type WrappingKey, WrongWrappingKey, wrapKey } from "./wrapping-key.ts";

/**
 * Checks, before any change and even before migrations, that no restore was interrupted and that the key file fits this
 * database.
 */
export async function assertUsable(db: MainDb, keys: readonly WrappingKey[]): Promise<void> {
  await assertNoUnfinishedRestore(db);
  if (await hasVaultKeys(db)) await unwrapAll(db, keys);
}

/** False before the first migration. */
export function hasVaultKeys(db: MainDb): Promise<boolean> {
  return hasTable(db, "vault_keys");
}

/** Unwraps every data key and creates missing ones. `keys`: the current wrapping key first, then the previous one. */
export async function openVault(db: MainDb, keys: readonly WrappingKey[], needs: VaultNeeds): Promise<Vault> {
  const known = await unwrapAll(db, keys);
  const missing = VAULT_PURPOSES.filter((purpose) => !known.some((key) => key.purpose === purpose));
  if (missing.length > 0) {
    const first = missing.map((purpose) => ({ purpose, version: 1 }));
    await db.transaction().execute((tx) => insertDataKeys(tx, first, keys, needs.clock.now()));
  }
  return new Vault(missing.length > 0 ? await unwrapAll(db, keys) : known, needs);
}

async function unwrapAll(db: MainDb, keys: readonly WrappingKey[]): Promise<DataKey[]> {
  return unwrapDataKeys(await readWrappedKeys(db), keys);
}

/** The data keys as the database stores them. */
export type WrappedKey = Selectable<MainTables["vault_keys"]>;

export function readWrappedKeys(db: MainDb): Promise<WrappedKey[]> {
  return db.selectFrom("vault_keys").selectAll().execute();
}

export function unwrapDataKeys(rows: readonly WrappedKey[], keys: readonly WrappingKey[]): DataKey[] {
  return rows.map((row) => dataKeyOf(row, unwrapKey(keys, row)));
}

interface DataKeyRow {
  readonly purpose: string;
  readonly version: number;
  readonly created_at: number;
}

function dataKeyOf(row: DataKeyRow, key: Uint8Array): DataKey {
  // Only insertDataKeys writes rows. Purposes of a newer release are held too, but never used.
  return { purpose: row.purpose as VaultPurpose, version: row.version, createdAt: row.created_at, key };
}

/** If two processes insert concurrently, the first to commit wins and the other reads its keys. */
export async function insertDataKeys(
  tx: MainTransaction,
  places: readonly { readonly purpose: VaultPurpose; readonly version: number }[],
  keys: readonly WrappingKey[],
  now: number,
): Promise<void> {
  const current = keys[0];
  if (!current) throw new WrongWrappingKey("no key file is configured");
  for (const place of places) {
    await tx
      .insertInto("vault_keys")
      .values({
        ...place,
        wrapping_key_id: current.id,
        wrapped_key: wrapKey(current, place, randomBytes(32)),
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Reads data keys that other processes created. Every process reads them before they are used
 * (`KEY_ACTIVATION_DELAY_MS`). If one cannot be unwrapped, this process has an old key file and continues with the keys
 * that it has.
 */
export async function readNewDataKeys(db: MainDb, keys: readonly WrappingKey[], vault: Vault): Promise<void> {
  const rows = await db.selectFrom("vault_keys").selectAll().execute();
  const unknown = rows.filter((row) => !vault.holds(row.purpose, row.version));
  for (const row of unknown) vault.hold([dataKeyOf(row, unwrapKey(keys, row))]);
}
