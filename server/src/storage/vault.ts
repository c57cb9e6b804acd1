import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";

/** The purposes of data keys. Each has separate keys, so a ciphertext of one is never accepted for another. */
export const VAULT_PURPOSES = [
  "machine-secret",
  "machine-pepper",
  "server-secret",
  "client-credentials",
  "connection",
  "mcp-session",
  "call-payload",
  "oauth-artifact",
  "snapshot",
  "webhook-secret",
  "approval",
  "stored-result",
  "agent-secret",
  "exchanged-token",
  "audit-checkpoint",
  "email",
] as const;
export type VaultPurpose = (typeof VAULT_PURPOSES)[number];

/** The place of a sealed value. It is bound into the ciphertext, so a moved value does not open (SEC-1). */
export interface SealPlace {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** A sealed value that is damaged, was moved, or needs a key that this process does not have. */
export class VaultFault extends Error {
  override readonly name = "VaultFault";
}

export interface DataKey {
  readonly purpose: VaultPurpose;
  readonly version: number;
  readonly createdAt: number;
  readonly key: Uint8Array;
}

interface HeldKey {
  readonly version: number;
  readonly createdAt: number;
  readonly key: KeyObject;
}

export interface VaultNeeds {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A new data key is used for sealing only after this time, so that every process has read it by then. */
export const KEY_ACTIVATION_DELAY_MS = 60_000;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** RFC 8410: the encoding of an Ed25519 private key up to its 32 bytes. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Seals and opens secrets with the data keys that `openVault` unwrapped at startup. Nothing here is asynchronous, so
 * the hot path can use it.
 */
export class Vault {
  readonly #needs: VaultNeeds;
  /** By purpose, the newest first. */
  readonly #keys = new Map<string, HeldKey[]>();

  constructor(keys: readonly DataKey[], needs: VaultNeeds) {
    this.#needs = needs;
    this.hold(keys);
  }

  /** Adds data keys that this process does not hold yet. None is ever removed, because sealed values must open. */
  hold(keys: readonly DataKey[]): void {
    for (const { purpose, version, createdAt, key } of keys) {
      if (this.holds(purpose, version)) continue;
      const held = [...(this.#keys.get(purpose) ?? []), { version, createdAt, key: createSecretKey(key) }];
      this.#keys.set(
        purpose,
        held.sort((a, b) => b.version - a.version),
      );
    }
  }

  holds(purpose: string, version: number): boolean {
    return this.#keys.get(purpose)?.some((held) => held.version === version) ?? false;
  }

  /** `<version>.<base64url of nonce, ciphertext and tag>`. */
  seal(purpose: VaultPurpose, place: SealPlace, plaintext: string): string {
    const { version, key } = this.#sealing(purpose);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    cipher.setAAD(additionalData(purpose, place, version));
    const sealed = Buffer.concat([nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${sealed.toString("base64url")}`;
  }

  /** Logs an error for a value that does not open: it was moved or damaged, or its key is missing (SEC-1). */
  open(purpose: VaultPurpose, place: SealPlace, sealed: string): string {
    try {
      return this.#open(purpose, place, sealed);
    } catch (error) {
      if (error instanceof VaultFault) this.#needs.logger.error({ purpose, ...place }, error.message);
      throw error;
    }
  }

  /** For values that callers present: one that does not open is a bad request, not an error to log. */
  openPresented(purpose: VaultPurpose, place: SealPlace, presented: string): string | undefined {
    try {
      return this.#open(purpose, place, presented);
    } catch (error) {
      if (error instanceof VaultFault) return undefined;
      throw error;
    }
  }

  #open(purpose: VaultPurpose, place: SealPlace, sealed: string): string {
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
      throw new VaultFault(`a sealed ${purpose} is damaged or was moved`);
    }
  }

  /** The version that new values are sealed with. */
  sealingVersion(purpose: VaultPurpose): number {
    return this.#sealing(purpose).version;
  }

  /** The earlier versions, whose values can be sealed again. */
  olderVersions(purpose: VaultPurpose): number[] {
    const sealing = this.sealingVersion(purpose);
    const held = this.#keys.get(purpose) ?? [];
    return held.map(({ version }) => version).filter((version) => version < sealing);
  }

  /** Time until every purpose seals with its newest key. */
  get activationDelayMs(): number {
    const now = this.#needs.clock.now();
    const delays = [...this.#keys.values()].map(([newest, before]) =>
      newest && before ? newest.createdAt + KEY_ACTIVATION_DELAY_MS - now : 0,
    );
    return Math.max(0, ...delays);
  }

  /** The version for new verifiers. */
  get pepperVersion(): number {
    return this.sealingVersion("machine-pepper");
  }

  /**
   * HMAC-SHA-256 with a pepper. Machine secrets have 256 random bits, so a slow hash would only help denial of service.
   * Undefined if there is no such pepper.
   */
  verifier(secret: string, pepperVersion: number): Uint8Array | undefined {
    const pepper = this.#version("machine-pepper", pepperVersion);
    return pepper && createHmac("sha256", pepper).update(secret).digest();
  }

  /**
   * HMAC-SHA-256 of the parts with each key of the purpose, the one for new values first. Earlier ones find values from
   * before a key rotation.
   */
  digests(purpose: VaultPurpose, parts: readonly (string | Uint8Array)[]): readonly [string, ...string[]] {
    const digest = (key: KeyObject) => {
      const hmac = createHmac("sha256", key);
      // With their lengths, so that other parts do not lead to the same digest.
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
      return hmac.digest("base64url");
    };
    const sealing = this.#sealing(purpose);
    const others = (this.#keys.get(purpose) ?? []).filter(({ version }) => version !== sealing.version);
    return [digest(sealing.key), ...others.map(({ key }) => digest(key))];
  }

  /** An Ed25519 key that is derived from a data key, so it exists only with the key file. Undefined: no such version. */
  signingKey(purpose: VaultPurpose, version: number): KeyObject | undefined {
    const key = this.#version(purpose, version);
    if (!key) return undefined;
    const seed = Buffer.from(hkdfSync("sha256", key, "", `gatehouse signing key ${purpose}`, 32));
    return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: "der", type: "pkcs8" });
  }

  /** The newest key that is old enough for sealing, otherwise the oldest. */
  #sealing(purpose: VaultPurpose): HeldKey {
    const held = this.#keys.get(purpose) ?? [];
    const now = this.#needs.clock.now();
    const sealing = held.find(({ createdAt }) => createdAt + KEY_ACTIVATION_DELAY_MS <= now) ?? held.at(-1);
    if (!sealing) throw new VaultFault(`there is no data key for ${purpose}`);
    return sealing;
  }

  #version(purpose: VaultPurpose, version: number): KeyObject | undefined {
    return this.#keys.get(purpose)?.find((held) => held.version === version)?.key;
  }
}

function additionalData(purpose: VaultPurpose, place: SealPlace, version: number): Buffer {
  return Buffer.from(JSON.stringify([purpose, place.table, place.row, place.column, version]));
}
