import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { scopesIn } from "./discover.ts";
import type { OAuthEgress } from "./oauth-request.ts";
import { chooseAuthMethod } from "./register.ts";
import { requestToken, type Token, TokenRefused } from "./token-endpoint.ts";
import { resourceOf } from "./well-known.ts";

/** The client credentials of a machine user (Spec 2.6). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
}

type SealedClient = Pick<UserRow, "id" | "sealed_client_credentials">;

/** Undefined: the user has none. */
export function openClientCredentials(
  vault: Vault,
  { id, sealed_client_credentials: sealed }: SealedClient,
): ClientCredentials | undefined {
  if (sealed === null) return undefined;
  return JSON.parse(vault.open("client-credentials", { table: "users", row: id, column: COLUMN }, sealed));
}

const COLUMN = "sealed_client_credentials";

export function sealClientCredentials(vault: Vault, userId: string, given: ClientCredentials): string {
  return vault.seal("client-credentials", { table: "users", row: userId, column: COLUMN }, JSON.stringify(given));
}

/** D24: whether this user connects to the server without a person. */
export function connectsAutomatically(vault: Vault, user: SealedClient, server: McpServerRow): boolean {
  const own = openClientCredentials(vault, user);
  return own !== undefined && fitsClientCredentials(server, own) && isVouchedFor(server, own);
}

/** D24: the secret is used only for servers whose tokens come from the same origin. */
export function fitsClientCredentials(server: McpServerRow, { tokenUrl }: ClientCredentials): boolean {
  const endpoint = server.auth_settings.tokenUrl ?? server.discovered_oauth?.tokenEndpoint;
  if (server.auth_type !== "proxy-oauth" || server.upstream_url === null) return false;
  return URL.parse(endpoint ?? server.upstream_url)?.origin === URL.parse(tokenUrl)?.origin;
}

/** Whether tokens of this origin are meant for this server: it has the same origin, or an admin set the token URL. */
function isVouchedFor({ auth_settings, upstream_url }: McpServerRow, { tokenUrl }: ClientCredentials): boolean {
  return auth_settings.tokenUrl !== undefined || URL.parse(upstream_url ?? "")?.origin === URL.parse(tokenUrl)?.origin;
}

/**
 * OA-5: any server can name the organization's authorization server. If that one ignores `resource`, the token is valid
 * elsewhere too, and must not be sent to a server that no admin confirmed.
 */
function assertMeantFor(server: McpServerRow, resource: string, token: Token, own: ClientCredentials): void {
  if (isVouchedFor(server, own) || audienceOf(token.accessToken).includes(resource)) return;
  const reason =
    "the token is also valid for other servers. To allow that, enter the token URL in the server's settings (tokenUrl)";
  throw new TokenRefused("invalid_target", reason);
}

/** RFC 9068. Not verified, because it came directly from the authorization server. */
function audienceOf(accessToken: string): readonly unknown[] {
  try {
    const claims: unknown = JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString("utf8"));
    const aud = typeof claims === "object" && claims !== null && "aud" in claims ? claims.aud : [];
    return [aud].flat();
  } catch {
    return [];
  }
}

/** RFC 6749 4.4, for this server's resource. Throws `TokenRefused` or `TokenUnavailable`. */
export async function clientCredentialsToken(
  outside: OAuthEgress,
  server: McpServerRow & { readonly upstream_url: string },
  own: ClientCredentials,
): Promise<Token> {
  const { clientId, clientSecret, tokenUrl } = own;
  const found = server.discovered_oauth;
  const offered = found?.authMethods?.filter((method) => method !== "none");
  const scopes = scopesIn(server.auth_settings.client?.scope ?? "");
  const authMethod = chooseAuthMethod(offered?.length ? offered : undefined);
  const resource = server.auth_settings.resource ?? found?.resource ?? resourceOf(server.upstream_url);
  const token = await requestToken(
    outside,
    tokenUrl,
    { clientId, clientSecret, authMethod },
    {
      grant_type: "client_credentials",
      resource,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    },
  );
  assertMeantFor(server, resource, token, own);
  return token;
}
