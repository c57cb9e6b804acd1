import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** What a data key is for. Each purpose has keys of its own, so a ciphertext of one can never pass for another's. */
export const VAULT_PURPOSES = [
  "machine-secret",
  "machine-pepper",
  "server-secret",
  "client-credentials",
  "connection",
] as const;
export type VaultPurpose = (typeof VAULT_PURPOSES)[number];

/** Where a sealed value stands. It is bound into the ciphertext: moved elsewhere, it does not open (SEC-1). */
export interface SealPlace {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** A sealed value that is damaged, was moved, or was sealed under a key that we do not have. */
export class VaultFault extends Error {
  override readonly name = "VaultFault";
}

export interface DataKey {
  readonly purpose: VaultPurpose;
  readonly version: number;
  readonly key: Uint8Array;
}

interface HeldKey {
  readonly version: number;
  readonly key: KeyObject;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals and opens secrets with the data keys that `openVault` unwrapped at start. Nothing here waits, so the hot path
 * may use it.
 */
export class Vault {
  readonly #keys = new Map<VaultPurpose, HeldKey[]>();

  constructor(keys: readonly DataKey[]) {
    for (const { purpose, version, key } of keys) {
      const held = this.#keys.get(purpose) ?? [];
      held.push({ version, key: createSecretKey(key) });
      held.sort((a, b) => b.version - a.version);
      this.#keys.set(purpose, held);
    }
  }

  /** `<version>.<base64url of nonce, ciphertext and tag>`. */
  seal(purpose: VaultPurpose, place: SealPlace, plaintext: string): string {
    const { version, key } = this.#newest(purpose);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    cipher.setAAD(additionalData(purpose, place, version));
    const sealed = Buffer.concat([nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${sealed.toString("base64url")}`;
  }

  open(purpose: VaultPurpose, place: SealPlace, sealed: string): string {
    const dot = sealed.indexOf(".");
    const version = Number(sealed.slice(0, dot));
    const key = this.#version(purpose, version);
    const bytes = Buffer.from(sealed.slice(dot + 1), "base64url");
    if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) throw new VaultFault(`a sealed ${purpose} cannot be opened`);
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(additionalData(purpose, place, version));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    } catch {
      throw new VaultFault(`a sealed ${purpose} is damaged or stands in the wrong place`);
    }
  }

  /** The version under which new verifiers are made. */
  get pepperVersion(): number {
    return this.#newest("machine-pepper").version;
  }

  /**
   * HMAC-SHA-256 under a pepper. Machine secrets carry 256 random bits, so a slow hash would add nothing but a way to
   * exhaust us. Undefined: no such pepper.
   */
  verifier(secret: string, pepperVersion: number): Uint8Array | undefined {
    const pepper = this.#version("machine-pepper", pepperVersion);
    return pepper && createHmac("sha256", pepper).update(secret).digest();
  }

  #newest(purpose: VaultPurpose): HeldKey {
    const newest = this.#keys.get(purpose)?.[0];
    if (!newest) throw new VaultFault(`there is no key for ${purpose}`);
    return newest;
  }

  #version(purpose: VaultPurpose, version: number): KeyObject | undefined {
    return this.#keys.get(purpose)?.find((held) => held.version === version)?.key;
  }
}

function additionalData(purpose: VaultPurpose, place: SealPlace, version: number): Buffer {
  return Buffer.from(JSON.stringify([purpose, place.table, place.row, place.column, version]));
}
