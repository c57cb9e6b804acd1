import { timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "#lib/random";
import { accessKeyOf, type GatewayTokenKind, hasValidChecksum, newGatewayToken } from "#lib/tokens";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import type { CredentialRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";

/** A token of a person's MCP client. The plain token exists only in the response that creates it. */
export interface GatewayTokenMaking {
  readonly id: string;
  readonly kind: GatewayTokenKind;
  readonly userId: string;
  readonly now: number;
  readonly expiresAt: number;
  readonly vault: Vault;
  /** The OAuth client that holds the token, and its grant. */
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
  readonly scopes?: string[] | undefined;
  /** The only gateway path that accepts the token; undefined for all paths. */
  readonly path?: string | undefined;
  /** The server that the path means; undefined: none. */
  readonly serverId?: string | undefined;
}

export async function insertGatewayToken(
  tx: MainTransaction,
  trail: WriteTrail,
  making: GatewayTokenMaking & { readonly random: RandomBytes },
): Promise<string> {
  const { token } = newGatewayToken(making.random, making.kind);
  await storeGatewayToken(tx, trail, token, making);
  return token;
}

/** Stores a token that was generated elsewhere. */
export async function storeGatewayToken(
  tx: MainTransaction,
  trail: WriteTrail,
  token: string,
  making: GatewayTokenMaking,
): Promise<void> {
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
      server_id: making.serverId ?? null,
      created_at: making.now,
    })
    .execute();
  trail.changed("credential", making.id);
}

/** The credential of this token, even if expired. Undefined if unknown or revoked. */
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

/** Deletes the oldest tokens of a grant or web session, so that there are at most `most` after one more is added. */
export async function endOldestTokens(
  tx: MainTransaction,
  trail: WriteTrail,
  grantId: string,
  most: number,
): Promise<void> {
  const kept = tx
    .selectFrom("credentials")
    .select("id")
    .where("grant_id", "=", grantId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(most - 1);
  const ended = tx.deleteFrom("credentials").where("grant_id", "=", grantId).where("id", "not in", kept);
  const rows = await ended.returning("id").execute();
  trail.changed("credential", ...rows.map((row) => row.id));
}

export async function endTokensOfGrant(tx: MainTransaction, trail: WriteTrail, grantId: string): Promise<void> {
  const rows = await tx.deleteFrom("credentials").where("grant_id", "=", grantId).returning("id").execute();
  trail.changed("credential", ...rows.map((row) => row.id));
}

/** Deletes at most `limit` credentials that expired before `before`. Returns the number deleted. */
export async function deleteExpiredCredentials(
  tx: MainTransaction,
  trail: WriteTrail,
  before: number,
  limit: number,
): Promise<number> {
  const rows = await lockRows(
    tx,
    tx.selectFrom("credentials").select("id").where("expires_at", "<", before).orderBy("expires_at").limit(limit),
  ).execute();
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) await tx.deleteFrom("credentials").where("id", "in", ids).execute();
  trail.changed("credential", ...ids);
  return ids.length;
}

/** Deletes every token with which a person's software calls the gateway, of clients, pages, and exchanges. */
export async function endTokensOfPerson(tx: MainTransaction, trail: WriteTrail, userId: string): Promise<void> {
  const tokens = tx.deleteFrom("credentials").where("user_id", "=", userId).where("kind", "!=", "machine_key");
  const ended = await tokens.returning("id").execute();
  trail.changed("credential", ...ended.map((row) => row.id));
}
