import type { McpServerRow, UserRow } from "#storage/tables";
import type { Vault } from "#storage/vault";
import type { Outside } from "./ask.ts";
import { scopesIn } from "./discover.ts";
import { chooseAuthMethod } from "./register.ts";
import { requestToken, type Token } from "./token-endpoint.ts";
import { resourceOf } from "./well-known.ts";

/** What an admin gave a machine user (Spec 2.6). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
}

/** Undefined: the user has none. */
export function openClientCredentials(
  vault: Vault,
  { id, sealed_client_credentials: sealed }: Pick<UserRow, "id" | "sealed_client_credentials">,
): ClientCredentials | undefined {
  if (sealed === null) return undefined;
  return JSON.parse(vault.open("client-credentials", { table: "users", row: id, column: COLUMN }, sealed));
}

const COLUMN = "sealed_client_credentials";

/** D24: whether this user needs nobody to connect it to this server. */
export function connectsByItself(vault: Vault, user: UserRow, server: McpServerRow): boolean {
  const own = openClientCredentials(vault, user);
  return own !== undefined && fitsClientCredentials(server, own);
}

/** D24: the secret goes only to servers whose own tokens come from the same origin. */
export function fitsClientCredentials(server: McpServerRow, { tokenUrl }: ClientCredentials): boolean {
  const endpoint = server.auth_settings.tokenUrl ?? server.discovered_oauth?.tokenEndpoint;
  if (server.auth_type !== "proxy-oauth" || server.upstream_url === null) return false;
  return URL.parse(endpoint ?? server.upstream_url)?.origin === URL.parse(tokenUrl)?.origin;
}

/** RFC 6749 4.4, for this server's resource. Throws `TokenRefused` or `TokenUnavailable`. */
export async function clientCredentialsToken(
  outside: Outside,
  server: McpServerRow & { readonly upstream_url: string },
  { clientId, clientSecret, tokenUrl }: ClientCredentials,
): Promise<Token> {
  const found = server.discovered_oauth;
  const offered = found?.authMethods?.filter((method) => method !== "none");
  const scopes = scopesIn(server.auth_settings.client?.scope ?? "");
  const authMethod = chooseAuthMethod(offered?.length ? offered : undefined);
  return requestToken(
    outside,
    tokenUrl,
    { clientId, clientSecret, authMethod },
    {
      grant_type: "client_credentials",
      resource: server.auth_settings.resource ?? found?.resource ?? resourceOf(server.upstream_url),
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    },
  );
}
