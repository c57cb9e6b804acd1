import type { ClientSource } from "#storage/oauth-tables";
import type { ConnectionRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";

/** The sealed part of a connection. It is never returned (AZ-5), and sent only to its server. */
export type ConnectionSecret = ApiKeySecret | OAuthSecret;

/** AZ-8: sealed with the credential, so that not even a changed row sends it elsewhere. */
interface BoundToUrl {
  /** The server's URL when the credential was stored. Absent: stored by an earlier release. */
  readonly serverUrl?: string | undefined;
}

export interface ApiKeySecret extends BoundToUrl {
  readonly kind: "api_key";
  readonly key: string;
}

export interface OAuthSecret extends BoundToUrl {
  readonly kind: "oauth";
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** OA-4: where tokens came from; refresh tokens are sent only there. */
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly clientId: string;
  /** Absent: nothing can be renewed. */
  readonly clientSource?: ClientSource;
}

/** Bound to its row, so that a value moved to another user's row does not open (SEC-1). */
export function sealConnection(vault: Vault, connectionId: string, secret: ConnectionSecret): string {
  return vault.seal("connection", placeOf(connectionId), JSON.stringify(secret));
}

/** Throws VaultFault if it is damaged or was moved. */
export function openConnection(
  vault: Vault,
  connection: Pick<ConnectionRow, "id" | "sealed_credential">,
): ConnectionSecret {
  return JSON.parse(vault.open("connection", placeOf(connection.id), connection.sealed_credential));
}

function placeOf(connectionId: string) {
  return { table: "connections", row: connectionId, column: "sealed_credential" };
}
