import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Clock } from "#lib/clock";
import type { MainDb, MainTransaction } from "./database.ts";
import { type DataKey, VAULT_PURPOSES, Vault, type VaultPurpose } from "./vault.ts";

/** The key outside the database that wraps the data keys inside it. */
export interface WrappingKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** The database was sealed with another key, or its data keys are damaged. We serve nothing and change nothing until the right one is given (SEC-7). */
export class WrongWrappingKey extends Error {
  override readonly name = "WrongWrappingKey";
}

export function wrappingKey(key: Uint8Array): WrappingKey {
  const id = createHash("sha256").update("gatehouse wrapping key id").update(key).digest("hex").slice(0, 16);
  return { id, key };
}

/** Before anything is changed, not even the tables: do we hold the key that this database was sealed with? */
export async function assertWrappingKey(db: MainDb, keys: readonly WrappingKey[]): Promise<void> {
  const tables = await db.introspection.getTables();
  if (tables.some((table) => table.name === "vault_keys")) await unwrapAll(db, keys);
}

/** Unwraps every data key; makes those that do not exist yet. `keys`: the current wrapping key first, then the previous. */
export async function openVault(db: MainDb, keys: readonly WrappingKey[], clock: Clock): Promise<Vault> {
  const known = await unwrapAll(db, keys);
  const missing = VAULT_PURPOSES.filter((purpose) => !known.some((key) => key.purpose === purpose));
  if (missing.length > 0) {
    await db.transaction().execute((tx) => insertMissing(tx, missing, keys, clock));
  }
  return new Vault(missing.length > 0 ? await unwrapAll(db, keys) : known);
}

async function unwrapAll(db: MainDb, keys: readonly WrappingKey[]): Promise<DataKey[]> {
  const rows = await db.selectFrom("vault_keys").selectAll().execute();
  return rows.map((row) => {
    const wrapping = keys.find((key) => key.id === row.wrapping_key_id);
    if (!wrapping) {
      throw new WrongWrappingKey(
        `the database is sealed with key ${row.wrapping_key_id}, but the key file holds ${keys[0]?.id ?? "none"}: ` +
          "set GATEHOUSE_KEY_FILE (or GATEHOUSE_PREVIOUS_KEY_FILE) to the right key file",
      );
    }
    // Rows are written by insertMissing alone, which takes purposes from VAULT_PURPOSES.
    const purpose = row.purpose as VaultPurpose;
    return { purpose, version: row.version, key: unwrap(wrapping, purpose, row.version, row.wrapped_key) };
  });
}

/** Two processes may start at once: the first to commit wins, the other reads the winner's keys. */
async function insertMissing(
  tx: MainTransaction,
  purposes: readonly VaultPurpose[],
  keys: readonly WrappingKey[],
  clock: Clock,
): Promise<void> {
  const current = keys[0];
  if (!current) throw new WrongWrappingKey("no key file was given");
  for (const purpose of purposes) {
    await tx
      .insertInto("vault_keys")
      .values({
        purpose,
        version: 1,
        wrapping_key_id: current.id,
        wrapped_key: wrap(current, purpose, 1, randomBytes(32)),
        created_at: clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

function wrap(wrapping: WrappingKey, purpose: string, version: number, key: Uint8Array): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", wrapping.key, nonce);
  cipher.setAAD(Buffer.from(JSON.stringify(["vault_keys", purpose, version])));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

function unwrap(wrapping: WrappingKey, purpose: string, version: number, wrapped: string): Uint8Array {
  const bytes = Buffer.from(wrapped, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", wrapping.key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(JSON.stringify(["vault_keys", purpose, version])));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  } catch (cause) {
    throw new WrongWrappingKey(`the database's key for ${purpose} is damaged: restore it from a backup`, { cause });
  }
}
