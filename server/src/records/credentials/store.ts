import type { RandomBytes } from "#lib/random";
import { newAccessKey, newMachineSecret } from "#lib/tokens";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import type { CredentialRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";

/** Spec 2.7: the key of a machine user. The plain secret exists only in the response that creates it. */
export interface MachineKey {
  readonly id: string;
  readonly accessKey: string;
  readonly secret: string;
}

export interface MachineKeyMaking {
  readonly id: string;
  readonly userId: string;
  readonly now: number;
  readonly random: RandomBytes;
  readonly vault: Vault;
  /** Whether to store a sealed copy, so that the secret can be revealed later. */
  readonly keepsCopy: boolean;
}

export async function insertMachineKey(
  tx: MainTransaction,
  trail: WriteTrail,
  making: MachineKeyMaking,
): Promise<MachineKey> {
  const { id, userId, now, random } = making;
  const { secret, stored } = newSecret(id, making);
  const accessKey = newAccessKey(random);
  await tx
    .insertInto("credentials")
    .values({
      id,
      kind: "machine_key",
      user_id: userId,
      access_key: accessKey,
      ...stored,
      previous_verifier: null,
      previous_pepper_version: null,
      previous_expires_at: null,
      scopes: null,
      toolkit: null,
      actor: null,
      expires_at: null,
      revoked_at: null,
      created_at: now,
    })
    .execute();
  trail.changed("credential", id);
  return { id, accessKey, secret };
}

export interface SecretRotation {
  readonly userId: string;
  /** When the old secret expires. Null: immediately. */
  readonly previousExpiresAt: number | null;
  readonly random: RandomBytes;
  readonly vault: Vault;
  readonly keepsCopy: boolean;
}

/** SEC-8: replaces the secret and keeps the access key. Only the latest old secret can stay valid for a while. */
export async function rotateMachineSecret(
  tx: MainTransaction,
  trail: WriteTrail,
  rotation: SecretRotation,
): Promise<MachineKey> {
  const { userId, previousExpiresAt } = rotation;
  const key = await lockMachineKey(tx, userId);
  const { secret, stored } = newSecret(key.id, rotation);
  const overlaps = previousExpiresAt !== null;
  await tx
    .updateTable("credentials")
    .set({
      ...stored,
      previous_verifier: overlaps ? key.verifier : null,
      previous_pepper_version: overlaps ? key.pepper_version : null,
      previous_expires_at: previousExpiresAt,
    })
    .where("id", "=", key.id)
    .execute();
  trail.changed("credential", key.id);
  return { id: key.id, accessKey: key.access_key, secret };
}

/** Ends the overlap of a rotation. Returns when the old secret would have expired. Null: there was none. */
export async function revokePreviousSecret(
  tx: MainTransaction,
  trail: WriteTrail,
  userId: string,
): Promise<{ readonly accessKey: string; readonly expiresAt: number | null }> {
  const key = await lockMachineKey(tx, userId);
  await tx
    .updateTable("credentials")
    .set({ previous_verifier: null, previous_pepper_version: null, previous_expires_at: null })
    .where("id", "=", key.id)
    .execute();
  trail.changed("credential", key.id);
  return { accessKey: key.access_key, expiresAt: key.previous_expires_at };
}

async function lockMachineKey(tx: MainTransaction, userId: string) {
  return lockRows(
    tx,
    tx
      .selectFrom("credentials")
      .select(["id", "access_key", "verifier", "pepper_version", "previous_expires_at"])
      .where("user_id", "=", userId)
      .where("kind", "=", "machine_key")
      .where("revoked_at", "is", null),
  ).executeTakeFirstOrThrow();
}

/** Creates a verifier for the gateway and optionally a sealed copy. The plain secret is never stored (SEC-3). */
function newSecret(
  credentialId: string,
  { random, vault, keepsCopy }: Pick<MachineKeyMaking, "random" | "vault" | "keepsCopy">,
) {
  const secret = newMachineSecret(random);
  const pepperVersion = vault.pepperVersion;
  const verifier = vault.verifier(secret, pepperVersion);
  if (!verifier) throw new Error("the newest pepper is missing");
  return {
    secret,
    stored: {
      verifier,
      pepper_version: pepperVersion,
      sealed_secret: keepsCopy ? vault.seal("machine-secret", placeOf(credentialId), secret) : null,
    },
  };
}

function placeOf(credentialId: string) {
  return { table: "credentials", row: credentialId, column: "sealed_secret" };
}

/** The machine user's key with the secret from the sealed copy. Undefined: there is no copy. */
export async function revealMachineKey(db: MainDb, userId: string, vault: Vault): Promise<MachineKey | undefined> {
  const row = await db
    .selectFrom("credentials")
    .select(["id", "access_key", "sealed_secret"])
    .where("user_id", "=", userId)
    .where("kind", "=", "machine_key")
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (!row || row.sealed_secret === null) return undefined;
  const secret = vault.open("machine-secret", placeOf(row.id), row.sealed_secret);
  return { id: row.id, accessKey: row.access_key, secret };
}

export async function forgetSealedSecrets(tx: MainTransaction): Promise<void> {
  await tx.updateTable("credentials").set({ sealed_secret: null }).where("sealed_secret", "is not", null).execute();
}

/** Revoked keys count as missing. */
export async function accessKeyExists(db: MainDb, accessKey: string): Promise<boolean> {
  const found = await db
    .selectFrom("credentials")
    .select("id")
    .where("access_key", "=", accessKey)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Before a user is deleted with all credentials. Includes revoked ones, which a snapshot may still hold. */
export async function noteCredentialsOfDeletedUser(
  tx: MainTransaction,
  trail: WriteTrail,
  userId: string,
): Promise<void> {
  const credentials = await credentialsOfUser(tx, userId);
  trail.changed("credential", ...credentials.map((credential) => credential.id));
}

/** Includes revoked credentials. */
export async function credentialsOfUser(
  db: MainDb,
  userId: string,
): Promise<Pick<CredentialRow, "id" | "access_key">[]> {
  return db
    .selectFrom("credentials")
    .select(["id", "access_key"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The keys of these machine users without secrets, by user id. */
export async function machineKeysOf(
  db: MainDb,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<CredentialRow, "access_key" | "previous_expires_at">>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("credentials")
    .select(["user_id", "access_key", "previous_expires_at"])
    .where("user_id", "in", userIds)
    .where("kind", "=", "machine_key")
    .where("revoked_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}
