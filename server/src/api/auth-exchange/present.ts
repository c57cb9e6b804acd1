import type { z } from "zod";
import { isoTime } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import type { IssuedTokens } from "#identity/exchange/issue";
import { resourceUrl } from "#identity/oauth-server/resources";
import { countLiveCredentials, type ExchangeCredentialWithNames } from "#records/auth-exchange";
import { groupNames } from "#records/groups";
import { userNames } from "#records/users";
import type { MainDb } from "#storage/database";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import type { UserRow } from "#storage/user-tables";
import type { ExchangeCredential, ExchangedToken, ExchangeProvider } from "./schema.ts";

export type PresentedProvider = z.input<typeof ExchangeProvider>;

export async function presentProviders(
  db: MainDb,
  rows: readonly ExchangeProviderRow[],
  now: number,
): Promise<PresentedProvider[]> {
  const groupIds = rows.flatMap(({ definition: { provision } }) => [
    ...provision.groups,
    ...Object.values(provision.group_map),
  ]);
  const groups = await groupNames(db, [...new Set(groupIds)]);
  const users = await userNames(
    db,
    rows.flatMap(({ definition: { subject } }) => (subject.mode === "fixed" ? subject.machine_user_id : [])),
  );
  const live = await countLiveCredentials(
    db,
    rows.map(({ id }) => id),
    now,
  );
  return rows.map((row) => {
    const { subject, provision, ...definition } = row.definition;
    return {
      ...{ id: row.id, slug: row.slug, name: row.name, enabled: row.enabled, issuer: row.issuer, ...definition },
      subject:
        subject.mode === "fixed"
          ? { mode: "fixed" as const, machine_user: users.get(subject.machine_user_id)?.email ?? null }
          : subject,
      provision: {
        ...provision,
        groups: provision.groups.flatMap((id) => groups.get(id) ?? []),
        group_map: Object.fromEntries(
          Object.entries(provision.group_map).flatMap(([theirs, id]) => {
            const name = groups.get(id);
            return name === undefined ? [] : [[theirs, name]];
          }),
        ),
      },
      active_credentials: live.get(row.id) ?? 0,
      ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
    };
  });
}

export async function presentProvider(db: MainDb, row: ExchangeProviderRow, now: number): Promise<PresentedProvider> {
  const [provider] = await presentProviders(db, [row], now);
  if (!provider) throw new Error(`The provider ${row.slug} could not be presented`);
  return provider;
}

/** For the audit log. */
export function auditedProvider({ active_credentials: _count, ...provider }: PresentedProvider): object {
  return provider;
}

export function presentCredential(row: ExchangeCredentialWithNames, now: number): z.input<typeof ExchangeCredential> {
  return {
    ...{ id: row.id, provider: row.provider, user_email: row.user_email, subject: row.subject },
    ...{ client_id: row.client_id, token_prefix: row.token_prefix, scopes: row.scopes, path: row.resource_path },
    ...{ created_at: isoTime(row.created_at), expires_at: isoTime(row.expires_at) },
    last_used_at: isoTime(row.last_used_at),
    revoked_at: row.revoked_at === null ? null : isoTime(row.revoked_at),
    end_reason: row.end_reason,
    active: row.revoked_at === null && row.expires_at > now,
    ip: row.ip,
  };
}

export function presentTokens(
  { clock, gatewayUrl }: Pick<ApiContext, "clock" | "gatewayUrl">,
  tokens: IssuedTokens,
  user: Pick<UserRow, "email" | "is_machine_user">,
  token: string | undefined,
): z.input<typeof ExchangedToken> {
  return {
    access_token: tokens.accessToken,
    token_type: "Bearer",
    expires_in: Math.max(1, Math.floor((tokens.expiresAt - clock.now()) / 1000)),
    expires_at: isoTime(tokens.expiresAt),
    ...(tokens.refreshToken !== undefined && { refresh_token: tokens.refreshToken }),
    ...(token !== undefined && { id_token: token }),
    scope: tokens.scopes.join(" "),
    user: { email: user.email, is_machine_user: user.is_machine_user },
    gateway_url: resourceUrl(gatewayUrl),
  };
}
