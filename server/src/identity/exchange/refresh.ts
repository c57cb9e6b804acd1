import { EXCHANGE_REFRESH_PREFIX, hasValidChecksum, newExchangeRefreshToken, newGatewayToken } from "#lib/tokens";
import {
  endCredential,
  findCredentialOfToken,
  findCredentialOwners,
  findRefreshToken,
  insertRefreshToken,
  lockCredential,
  lockProviderById,
  noteRefresh,
  openExchangedToken,
  takeRefreshToken,
} from "#records/auth-exchange";
import { endOldestTokens, findGatewayToken } from "#records/credentials";
import { findUserById, lockUserById, mayManage } from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { inWrite } from "../identity-context.ts";
import { authorOf, type ExchangeCaller, type ExchangeContext } from "./exchange-context.ts";
import { type IssuedTokens, storeAccessToken } from "./issue.ts";

/** Clients can refresh without limit, and each token stays in every snapshot until it expires. */
const MAX_ACCESS_TOKENS = 5;

export interface Refreshed {
  readonly tokens: IssuedTokens;
  readonly user: UserRow;
  /** The exchanged token, if the provider passes it on. */
  readonly token: string | undefined;
}

export function isExchangeRefreshToken(token: string): boolean {
  return token.startsWith(EXCHANGE_REFRESH_PREFIX) && hasValidChecksum(token);
}

/**
 * Rotates a refresh token. A token that was used before ends its credential with all access tokens: it was stolen, or the
 * client lost its successor (F46). Undefined: refused.
 */
export async function refreshCredential(
  context: ExchangeContext,
  token: string,
  caller: ExchangeCaller,
): Promise<Refreshed | undefined> {
  if (!isExchangeRefreshToken(token)) return undefined;
  const id = await findRefreshToken(context.databases.main, token);
  if (id === undefined) return undefined;
  return inWrite(context, authorOf(caller), (tx, trail) => rotate(context, { tx, trail }, id, token));
}

async function rotate(
  context: ExchangeContext,
  { tx, trail }: { readonly tx: MainTransaction; readonly trail: WriteTrail },
  id: string,
  token: string,
): Promise<Refreshed | undefined> {
  const now = context.clock.now();
  const known = await findCredentialOwners(tx, id);
  // In the order in which other writes lock them.
  const provider = known && (await lockProviderById(tx, known.provider_id));
  const user = known && (await lockUserById(tx, known.user_id));
  const row = known && (await lockCredential(tx, id));
  if (!provider || !row || !user || row.revoked_at !== null) return undefined;
  if (!(await takeRefreshToken(tx, token, now))) {
    await endCredential({ tx, trail, now, reason: "reused" }, id);
    const target = { kind: "user", id: user.id, name: user.email };
    const after = { provider: provider.slug, credential_id: id };
    trail.audit({ operation: "exchangeTokenReused", target, after });
    return undefined;
  }
  if (row.expires_at <= now || !isStillAllowed(provider, user)) return undefined;
  const { token: accessToken, accessKey } = newGatewayToken(context.random, "exchange");
  const expiresAt = Math.min(now + provider.definition.token.access_ttl_seconds * 1000, row.expires_at);
  await endOldestTokens(tx, trail, id, MAX_ACCESS_TOKENS);
  await storeAccessToken(context, { tx, trail }, accessToken, { row, provider, expiresAt });
  const refreshToken = newExchangeRefreshToken(context.random);
  await insertRefreshToken(tx, refreshToken, { credentialId: id, now });
  await noteRefresh(tx, id, { token_prefix: accessKey, last_used_at: now });
  const target = { kind: "user", id: user.id, name: user.email };
  trail.audit({ operation: "refreshExchange", target, after: { provider: provider.slug, credential_id: id } });
  const sealed = row.sealed_token;
  return {
    tokens: { credentialId: id, accessToken, expiresAt, refreshToken, scopes: row.scopes },
    user,
    token: sealed === null ? undefined : openExchangedToken(context.vault, { id, sealed_token: sealed }),
  };
}

function isStillAllowed({ enabled, definition: { subject } }: ExchangeProviderRow, user: UserRow): boolean {
  const allowsAdmins = subject.mode === "map" && subject.allow_admins;
  return enabled && !user.disabled && (allowsAdmins || !mayManage(user.role));
}

/** RFC 7009: ends the credential of an access or refresh token. Returns whether the token is known. */
export async function revokeExchangeToken(
  context: ExchangeContext,
  token: string,
  caller: ExchangeCaller,
): Promise<boolean> {
  const db = context.databases.main;
  const isRefresh = isExchangeRefreshToken(token);
  const isKnown = isRefresh || (await findGatewayToken(db, token, context.vault))?.kind === "exchange";
  const id = isKnown ? await (isRefresh ? findRefreshToken(db, token) : findCredentialOfToken(db, token)) : undefined;
  if (id === undefined) return false;
  await inWrite(context, authorOf(caller), async (tx, trail) => {
    const row = await lockCredential(tx, id);
    const user = row && (await findUserById(tx, row.user_id));
    if (!row || !user || !(await endCredential({ tx, trail, now: context.clock.now(), reason: "revoked" }, id))) return;
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "revokeExchangeToken", target, before: { credential_id: id, subject: row.subject } });
  });
  return true;
}
