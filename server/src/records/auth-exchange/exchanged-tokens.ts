/** Tokens of trusted issuers that are sent on to servers which accept them (decision 0143). */
import { connectionKey } from "#records/connections";
import type { MainDb, MainTransaction } from "#storage/database";
import type { ExchangeCredentialRow } from "#storage/exchange-tables";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";
import type { Vault } from "#storage/vault";

interface SealedToken extends Pick<ExchangeCredentialRow, "id" | "token_expires_at"> {
  readonly sealed_token: string;
}

export function sealExchangedToken(vault: Vault, credentialId: string, token: string): string {
  return vault.seal("exchanged-token", placeOf(credentialId), token);
}

export function openExchangedToken(vault: Vault, { id, sealed_token }: Omit<SealedToken, "token_expires_at">): string {
  return vault.open("exchanged-token", placeOf(id), sealed_token);
}

function placeOf(credentialId: string) {
  return { table: "exchange_credentials", row: credentialId, column: "sealed_token" };
}

/**
 * The newest valid token of the server's issuer that this user exchanged. Several workloads can act as one fixed machine
 * user, and none of them may send the token of another, so only tokens that name their user count.
 */
export async function findExchangedToken(
  db: MainDb,
  { userId, server, now }: { readonly userId: string; readonly server: McpServerRow; readonly now: number },
): Promise<SealedToken | undefined> {
  const { issuer } = server.auth_settings;
  if (server.auth_type !== "exchanged-token" || issuer === undefined) return undefined;
  const rows = await db
    .selectFrom("exchange_credentials as credential")
    .innerJoin("exchange_providers as provider", "provider.id", "credential.provider_id")
    .select(["credential.id", "credential.sealed_token", "credential.token_expires_at", "provider.definition"])
    .where("credential.user_id", "=", userId)
    .where("provider.issuer", "=", issuer)
    .where("provider.enabled", "=", true)
    .where("credential.sealed_token", "is not", null)
    .where("credential.revoked_at", "is", null)
    .where("credential.token_expires_at", ">", now)
    .where((where) =>
      where.or([where("credential.server_id", "is", null), where("credential.server_id", "=", server.id)]),
    )
    .orderBy("credential.created_at", "desc")
    .limit(20)
    .execute();
  for (const { id, sealed_token, token_expires_at, definition } of rows)
    if (sealed_token !== null && definition.subject.mode === "map") return { id, sealed_token, token_expires_at };
  return undefined;
}

/** Tells all processes that this user's newest exchanged token may be another one now. */
export async function noteExchangedTokens(tx: MainTransaction, trail: WriteTrail, userId: string): Promise<void> {
  const servers = await tx.selectFrom("mcp_servers").select("id").where("auth_type", "=", "exchanged-token").execute();
  if (servers.length > 0) trail.changed("connection", ...servers.map(({ id }) => connectionKey(userId, id)));
}
