import { timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "#lib/random";
import { accessKeyOf, type GatewayTokenKind, hasValidChecksum, newGatewayToken } from "#lib/tokens";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { CredentialRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";

/** What a person's program presents at the gateway. The plain token exists only in the answer that made it. */
export interface GatewayTokenMaking {
  readonly id: string;
  readonly kind: GatewayTokenKind;
  readonly userId: string;
  readonly now: number;
  readonly expiresAt: number;
  readonly vault: Vault;
  /** The OAuth client that holds it, and the grant that it comes from. */
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
  readonly scopes?: string[] | undefined;
  /** The only path of the gateway at which it counts; undefined: at all. */
  readonly path?: string | undefined;
}

/** The caller names the credential's `id` in its change row. */
export async function insertGatewayToken(
  tx: MainTransaction,
  making: GatewayTokenMaking & { readonly random: RandomBytes },
): Promise<string> {
  const { token } = newGatewayToken(making.random, making.kind);
  await storeGatewayToken(tx, token, making);
  return token;
}

/** The same for a token that was made already. */
export async function storeGatewayToken(tx: MainTransaction, token: string, making: GatewayTokenMaking): Promise<void> {
  const accessKey = accessKeyOf(token);
  const verifier = making.vault.verifier(token, making.vault.pepperVersion);
  if (accessKey === undefined || !verifier) throw new Error("not a gateway token, or the newest pepper is missing");
  await tx
    .insertInto("credentials")
    .values({
      id: making.id,
      kind: making.kind,
      user_id: making.userId,
      access_key: accessKey,
      verifier,
      pepper_version: making.vault.pepperVersion,
      sealed_secret: null,
      previous_verifier: null,
      previous_pepper_version: null,
      previous_expires_at: null,
      scopes: making.scopes ?? null,
      toolkit: null,
      actor: null,
      expires_at: making.expiresAt,
      revoked_at: null,
      client_id: making.clientId ?? null,
      grant_id: making.grantId ?? null,
      resource_path: making.path ?? null,
      created_at: making.now,
    })
    .execute();
}

/** The credential that this very token stands for, expired or not; undefined: none that is live. */
export async function findGatewayToken(db: MainDb, token: string, vault: Vault): Promise<CredentialRow | undefined> {
  const accessKey = accessKeyOf(token);
  if (accessKey === undefined || !hasValidChecksum(token)) return undefined;
  const row = await db
    .selectFrom("credentials")
    .selectAll()
    .where("access_key", "=", accessKey)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  const proof = row && vault.verifier(token, row.pepper_version);
  return proof?.length === row?.verifier.length && proof && row && timingSafeEqual(proof, row.verifier)
    ? row
    : undefined;
}

/** Makes room for one more among `most`: the oldest of one grant or web session end. Their ids, for the change rows. */
export async function endOldestTokens(tx: MainTransaction, grantId: string, most: number): Promise<string[]> {
  const kept = tx
    .selectFrom("credentials")
    .select("id")
    .where("grant_id", "=", grantId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(most - 1);
  const ended = tx.deleteFrom("credentials").where("grant_id", "=", grantId).where("id", "not in", kept);
  return (await ended.returning("id").execute()).map((row) => row.id);
}

/** Those of one grant. */
export async function endTokensOfGrant(tx: MainTransaction, grantId: string): Promise<string[]> {
  const rows = await tx.deleteFrom("credentials").where("grant_id", "=", grantId).returning("id").execute();
  return rows.map((row) => row.id);
}

/** At most `limit` of those whose time was over before `before`; their ids, for the change rows. */
export async function deleteExpiredCredentials(tx: MainTransaction, before: number, limit: number): Promise<string[]> {
  const rows = await lockRows(
    tx,
    tx.selectFrom("credentials").select("id").where("expires_at", "<", before).orderBy("expires_at").limit(limit),
  ).execute();
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) await tx.deleteFrom("credentials").where("id", "in", ids).execute();
  return ids;
}
