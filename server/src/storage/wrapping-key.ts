import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** The key outside the database that wraps the data keys inside it. */
export interface WrappingKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/**
 * The database was sealed with another key, or its data keys are damaged. The process serves and changes nothing until
 * it gets the right key file (SEC-7).
 */
export class WrongWrappingKey extends Error {
  override readonly name = "WrongWrappingKey";
}

/** The place of a wrapped data key, bound into the ciphertext, so that two of them cannot be swapped. */
export interface WrappedKeyPlace {
  readonly purpose: string;
  readonly version: number;
}

export function wrappingKey(key: Uint8Array): WrappingKey {
  const id = createHash("sha256").update("gatehouse wrapping key id").update(key).digest("hex").slice(0, 16);
  return { id, key };
}

export function wrapKey({ key: outer }: WrappingKey, place: WrappedKeyPlace, key: Uint8Array): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", outer, nonce);
  cipher.setAAD(additionalData(place));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

export interface WrappedKey extends WrappedKeyPlace {
  readonly wrapping_key_id: string;
  readonly wrapped_key: string;
}

/** `keys`: the wrapping keys of this process, the current one first. */
export function unwrapKey(keys: readonly WrappingKey[], row: WrappedKey): Uint8Array {
  const outer = keys.find((key) => key.id === row.wrapping_key_id);
  if (!outer) throw new WrongWrappingKey(missingKey(row.wrapping_key_id, keys));
  const bytes = Buffer.from(row.wrapped_key, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", outer.key, bytes.subarray(0, 12));
    decipher.setAAD(additionalData(row));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  } catch (cause) {
    throw new WrongWrappingKey(`the database's key for ${row.purpose} is damaged: restore it from a backup`, { cause });
  }
}

function missingKey(wanted: string, keys: readonly WrappingKey[]): string {
  const held =
    keys.length === 0 ? "there is no key file" : `the key file holds ${keys.map(({ id }) => id).join(" and ")}`;
  return (
    `the database is sealed with key ${wanted}, but ${held}: ` +
    "set GATEHOUSE_KEY_FILE (or GATEHOUSE_PREVIOUS_KEY_FILE) to the right key file"
  );
}

function additionalData({ purpose, version }: WrappedKeyPlace): Buffer {
  return Buffer.from(JSON.stringify(["vault_keys", purpose, version]));
}
