import { EXCHANGE_TOKEN_PREFIX, newExchangeRefreshToken, newGatewayToken } from "#lib/tokens";
import {
  endOldestCredentials,
  insertCredential,
  insertRefreshToken,
  noteExchangedTokens,
  sealExchangedToken,
} from "#records/auth-exchange";
import { storeGatewayToken } from "#records/credentials";
import type { MainTransaction } from "#storage/database";
import type { ExchangeCredentialRow, ExchangeProviderRow } from "#storage/exchange-tables";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import type { ExchangeContext } from "./exchange-context.ts";

/** The exchanges of one subject that can be live concurrently, such as jobs of one workflow. */
const MAX_LIVE_PER_SUBJECT = 200;
/** The access key: the prefix and 20 characters. */
const PREFIX_LENGTH = EXCHANGE_TOKEN_PREFIX.length + 20;

export interface IssuedTokens {
  readonly credentialId: string;
  readonly accessToken: string;
  readonly expiresAt: number;
  /** Undefined: the credential cannot be refreshed. */
  readonly refreshToken: string | undefined;
  readonly scopes: readonly string[];
}

/** The part of the gateway that the token is for. */
export interface IssuedFor {
  readonly path: string | undefined;
  readonly serverId: string | undefined;
  readonly clientId: string | undefined;
}

export interface NewCredential {
  readonly provider: ExchangeProviderRow;
  readonly user: UserRow;
  readonly subject: string;
  readonly token: string;
  /** When the exchanged token expires. */
  readonly tokenExpiresAt: number;
  readonly target: IssuedFor;
  /** An identity assertion is presented again instead of refreshed. */
  readonly canRefresh: boolean;
  readonly address: string;
}

/** Undefined: the exchanged token expires before anything could be used. */
export async function issueCredential(
  context: ExchangeContext,
  { tx, trail }: { readonly tx: MainTransaction; readonly trail: WriteTrail },
  made: NewCredential,
): Promise<IssuedTokens | undefined> {
  const { provider, user, subject, target } = made;
  const { token: rules, passthrough } = provider.definition;
  const now = context.clock.now();
  const latest = rules.bind_to_jwt_exp ? made.tokenExpiresAt : Number.POSITIVE_INFINITY;
  const accessEnd = Math.min(now + rules.access_ttl_seconds * 1000, latest);
  if (accessEnd <= now) return undefined;
  const refreshEnd = Math.min(now + rules.refresh_ttl_seconds * 1000, latest);
  const refreshes = rules.refresh && made.canRefresh && refreshEnd > accessEnd;
  const id = context.newId("exc");
  const end = { tx, trail, now, reason: "replaced" } as const;
  await endOldestCredentials(end, { providerId: provider.id, subject, most: MAX_LIVE_PER_SUBJECT });
  const { accessKey, token } = newGatewayToken(context.random, "exchange");
  const row: ExchangeCredentialRow = {
    ...{ id, provider_id: provider.id, user_id: user.id, subject, client_id: target.clientId ?? null },
    ...{ token_prefix: accessKey, scopes: rules.scopes, ip: made.address },
    ...{ resource_path: target.path ?? null, server_id: target.serverId ?? null },
    sealed_token: passthrough ? sealExchangedToken(context.vault, id, made.token) : null,
    token_expires_at: made.tokenExpiresAt,
    expires_at: refreshes ? refreshEnd : accessEnd,
    ...{ last_used_at: now, revoked_at: null, end_reason: null, created_at: now },
  };
  await insertCredential(tx, row);
  if (passthrough) await noteExchangedTokens(tx, trail, user.id);
  await storeAccessToken(context, { tx, trail }, token, { row, provider, expiresAt: accessEnd });
  const refreshToken = refreshes ? newExchangeRefreshToken(context.random) : undefined;
  if (refreshToken !== undefined) await insertRefreshToken(tx, refreshToken, { credentialId: id, now });
  return { credentialId: id, accessToken: token, expiresAt: accessEnd, refreshToken, scopes: rules.scopes };
}

/** Access tokens are credentials in the snapshot, so the gateway verifies them without a lookup. */
export async function storeAccessToken(
  { vault, newId, clock }: ExchangeContext,
  { tx, trail }: { readonly tx: MainTransaction; readonly trail: WriteTrail },
  token: string,
  to: { readonly row: ExchangeCredentialRow; readonly provider: ExchangeProviderRow; readonly expiresAt: number },
): Promise<void> {
  const { row, provider, expiresAt } = to;
  await storeGatewayToken(tx, trail, token, {
    ...{ id: newId("crd"), kind: "exchange", userId: row.user_id, vault, now: clock.now(), expiresAt },
    // The call log shows the issuer as the client.
    ...{ clientId: provider.slug, grantId: row.id, scopes: row.scopes },
    ...{ path: row.resource_path ?? undefined, serverId: row.server_id ?? undefined },
  });
}

export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}
