import { createHash } from "node:crypto";
import { accessKeyOf } from "#lib/tokens";
import { endTokensOfGrant } from "#records/credentials";
import type { MainDb, MainTransaction } from "#storage/database";
import type { EndReason, ExchangeCredentialRow } from "#storage/exchange-tables";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import { noteExchangedTokens } from "./exchanged-tokens.ts";

interface CredentialEnd {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
  readonly now: number;
  readonly reason: EndReason;
}

/** Used refresh tokens that are kept per credential to detect reuse. */
const MAX_USED_TOKENS = 100;

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export async function insertCredential(tx: MainTransaction, row: ExchangeCredentialRow): Promise<void> {
  await tx.insertInto("exchange_credentials").values(row).execute();
}

export async function findCredentialOwners(
  db: MainDb,
  id: string,
): Promise<Pick<ExchangeCredentialRow, "provider_id" | "user_id"> | undefined> {
  return db
    .selectFrom("exchange_credentials")
    .select(["provider_id", "user_id"])
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function lockCredential(tx: MainTransaction, id: string): Promise<ExchangeCredentialRow | undefined> {
  return lockRows(tx, tx.selectFrom("exchange_credentials").selectAll().where("id", "=", id)).executeTakeFirst();
}

export async function noteRefresh(
  tx: MainTransaction,
  id: string,
  changes: Pick<ExchangeCredentialRow, "token_prefix" | "last_used_at">,
): Promise<void> {
  await tx.updateTable("exchange_credentials").set(changes).where("id", "=", id).execute();
}

export async function insertRefreshToken(
  tx: MainTransaction,
  token: string,
  { credentialId, now }: { readonly credentialId: string; readonly now: number },
): Promise<void> {
  const row = { token_hash: hashOf(token), credential_id: credentialId, used_at: null, created_at: now };
  await tx.insertInto("exchange_refresh_tokens").values(row).execute();
  const kept = tx
    .selectFrom("exchange_refresh_tokens")
    .select("token_hash")
    .where("credential_id", "=", credentialId)
    .orderBy("created_at", "desc")
    .limit(MAX_USED_TOKENS);
  await tx
    .deleteFrom("exchange_refresh_tokens")
    .where("credential_id", "=", credentialId)
    .where("used_at", "is not", null)
    .where("token_hash", "not in", kept)
    .execute();
}

/** The credential that the refresh token belongs to; undefined: unknown. */
export async function findRefreshToken(db: MainDb, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("exchange_refresh_tokens")
    .select("credential_id")
    .where("token_hash", "=", hashOf(token))
    .executeTakeFirst();
  return row?.credential_id;
}

/** Marks the token as used. Of several concurrent calls, exactly one returns true. */
export async function takeRefreshToken(tx: MainTransaction, token: string, now: number): Promise<boolean> {
  const taken = await tx
    .updateTable("exchange_refresh_tokens")
    .set({ used_at: now })
    .where("token_hash", "=", hashOf(token))
    .where("used_at", "is", null)
    .returning("token_hash")
    .execute();
  return taken.length === 1;
}

/** The credential that an access token was issued for; undefined: unknown. The token itself is not verified. */
export async function findCredentialOfToken(db: MainDb, token: string): Promise<string | undefined> {
  const accessKey = accessKeyOf(token);
  if (accessKey === undefined) return undefined;
  const row = await db
    .selectFrom("credentials")
    .select("grant_id")
    .where("access_key", "=", accessKey)
    .where("kind", "=", "exchange")
    .executeTakeFirst();
  return row?.grant_id ?? undefined;
}

/** Ends a credential with all its tokens. The row stays for the list. Returns whether it was live. */
export async function endCredential({ tx, trail, now, reason }: CredentialEnd, id: string): Promise<boolean> {
  const ended = await tx
    .updateTable("exchange_credentials")
    .set({ revoked_at: now, end_reason: reason, sealed_token: null })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning("user_id")
    .execute();
  for (const { user_id } of ended) await noteExchangedTokens(tx, trail, user_id);
  await tx.deleteFrom("exchange_refresh_tokens").where("credential_id", "=", id).where("used_at", "is", null).execute();
  await endTokensOfGrant(tx, trail, id);
  return ended.length === 1;
}

async function endAll(end: CredentialEnd, rows: readonly { readonly id: string }[]): Promise<number> {
  for (const { id } of rows) await endCredential(end, id);
  return rows.length;
}

function live(tx: MainTransaction, now: number) {
  return tx
    .selectFrom("exchange_credentials")
    .select("id")
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now);
}

/** Returns the number of credentials. */
export async function endCredentialsOfProvider(end: CredentialEnd, providerId: string): Promise<number> {
  return endAll(end, await live(end.tx, end.now).where("provider_id", "=", providerId).execute());
}

/** Deletes the credentials of a user with their tokens. Returns the number of credentials. */
export async function endCredentialsOfUser(
  { tx, trail }: Pick<CredentialEnd, "tx" | "trail">,
  userId: string,
): Promise<number> {
  const rows = await tx.deleteFrom("exchange_credentials").where("user_id", "=", userId).returning("id").execute();
  for (const { id } of rows) await endTokensOfGrant(tx, trail, id);
  return rows.length;
}

/** Ends the oldest live credentials of a subject, so that there are at most `most` after one more is added. */
export async function endOldestCredentials(
  end: CredentialEnd,
  { providerId, subject, most }: { readonly providerId: string; readonly subject: string; readonly most: number },
): Promise<void> {
  const rows = await live(end.tx, end.now)
    .where("provider_id", "=", providerId)
    .where("subject", "=", subject)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .offset(most - 1)
    .limit(most)
    .execute();
  await endAll(end, rows);
}

/** Deletes at most `limit` credentials that expired before `before`. Returns the number deleted. */
export async function deleteCredentialsBefore(db: MainDb, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom("exchange_credentials")
    .select("id")
    .where("expires_at", "<", before)
    .orderBy("expires_at")
    .limit(limit);
  const deleted = await db.deleteFrom("exchange_credentials").where("id", "in", old).returning("id").execute();
  return deleted.length;
}
