import type { RandomBytes } from "#lib/random";
import { newAccessKey, newMachineSecret } from "#lib/tokens";
import type { MainDb, MainTransaction } from "#storage/database";
import type { CredentialRow } from "#storage/tables";
import type { Vault } from "#storage/vault";

/** Spec 2.7: what a machine user authenticates with. The plain secret exists only in the answer that made it. */
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
}

/** Stores a verifier for the gateway and a sealed copy for the dashboard's reveal; never the secret itself (SEC-3). */
export async function insertMachineKey(tx: MainTransaction, making: MachineKeyMaking): Promise<MachineKey> {
  const { id, userId, now, random, vault } = making;
  const secret = newMachineSecret(random);
  const pepperVersion = vault.pepperVersion;
  const verifier = vault.verifier(secret, pepperVersion);
  if (!verifier) throw new Error("the newest pepper is missing");
  const accessKey = newAccessKey(random);
  await tx
    .insertInto("credentials")
    .values({
      id,
      kind: "machine_key",
      user_id: userId,
      access_key: accessKey,
      verifier,
      pepper_version: pepperVersion,
      sealed_secret: vault.seal("machine-secret", { table: "credentials", row: id, column: "sealed_secret" }, secret),
      scopes: null,
      toolkit: null,
      actor: null,
      expires_at: null,
      revoked_at: null,
      created_at: now,
    })
    .execute();
  return { id, accessKey, secret };
}

/** A revoked key does not exist for the gateway. */
export async function accessKeyExists(db: MainDb, accessKey: string): Promise<boolean> {
  const found = await db
    .selectFrom("credentials")
    .select("id")
    .where("access_key", "=", accessKey)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Revoked ones too: whoever holds one in a snapshot must hear of its end. */
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
