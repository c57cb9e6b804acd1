/** Rows of auth exchange, as the API would store them. */
import type { MainDb } from "#storage/database";
import type { ExchangeCredentialRow, ExchangeDefinition, ExchangeProviderRow } from "#storage/exchange-tables";

export const EXAMPLE_DEFINITION: ExchangeDefinition = {
  jwks_uri: null,
  jwks: null,
  audiences: ["gatehouse"],
  algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
  max_age_seconds: 3600,
  conditions: [],
  subject: { mode: "map", claim: null, match: "email", require_verified_email: true, allow_admins: false },
  provision: { create_users: false, groups: [], group_claim: null, group_map: {}, sync_groups: false },
  token: {
    access_ttl_seconds: 900,
    refresh: true,
    refresh_ttl_seconds: 86_400,
    scopes: ["mcp"],
    bind_to_jwt_exp: false,
  },
  one_time_jti: false,
  require_api_key: true,
  passthrough: false,
};

export function providerRow(id: string, changes: Partial<ExchangeProviderRow> = {}): ExchangeProviderRow {
  const names = { id, slug: id.replaceAll("_", "-"), name: id, search_text: "", issuer: `https://${id}.example.com` };
  return { ...names, enabled: true, definition: EXAMPLE_DEFINITION, created_at: 0, updated_at: 0, ...changes };
}

/** Inserts a credential of an existing user, with a separate provider. */
export async function insertExchangeCredential(
  tx: MainDb,
  row: Pick<ExchangeCredentialRow, "id" | "user_id" | "sealed_token"> & Partial<ExchangeCredentialRow>,
): Promise<void> {
  const provider = providerRow(`iss_${row.id}`);
  await tx.insertInto("exchange_providers").values(provider).execute();
  await tx
    .insertInto("exchange_credentials")
    .values({
      ...{ provider_id: provider.id, subject: "ada", client_id: null, token_prefix: "gh_ex_", scopes: ["mcp"] },
      ...{ resource_path: null, server_id: null, token_expires_at: 0, expires_at: 0, last_used_at: 0 },
      ...{ revoked_at: null, end_reason: null, ip: null, created_at: 0, ...row },
    })
    .execute();
}
