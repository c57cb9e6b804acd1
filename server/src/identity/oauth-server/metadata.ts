import { ID_JAG_PROFILE, JWT_BEARER, TOKEN_EXCHANGE } from "../exchange/grant-types.ts";
import { gatewayPath, gatewayUrlAt, resourceUrl, SCOPE, withoutSlash } from "./resources.ts";

interface Urls {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly orgName: string;
}

/** Most clients are public; others use a secret or a key. */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;
export const SIGNING_ALGORITHMS = ["ES256", "PS256", "RS256", "EdDSA"] as const;

/** RFC 9728, for the URL that the client used. Undefined: unknown path. */
export function resourceMetadata(
  { baseUrl, gatewayUrl, orgName }: Urls,
  path: string,
  host: string | undefined,
): object | undefined {
  const known = gatewayPath(path);
  if (known === undefined) return undefined;
  return {
    resource: resourceUrl(gatewayUrlAt(gatewayUrl, host), known),
    resource_name: orgName,
    authorization_servers: [issuerOf(baseUrl)],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header"],
  };
}

/** RFC 8414. Written out rather than derived, so that no request can influence it. */
export function serverMetadata(
  { baseUrl }: Pick<Urls, "baseUrl">,
  { readsDocuments }: { readsDocuments: boolean },
): object {
  const issuer = issuerOf(baseUrl);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", TOKEN_EXCHANGE, JWT_BEARER],
    authorization_grant_profiles_supported: [ID_JAG_PROFILE],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    code_challenge_methods_supported: ["S256"],
    scopes_supported: [SCOPE],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsDocuments,
  };
}

/** The URL of the resource metadata, without the resource's path. */
export function resourceMetadataUrl(gatewayUrl: string, host: string | undefined): string {
  return `${gatewayUrlAt(gatewayUrl, host)}/.well-known/oauth-protected-resource`;
}

export function issuerOf(baseUrl: string): string {
  return withoutSlash(baseUrl);
}
