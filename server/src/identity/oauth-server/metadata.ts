import { gatewayPath, gatewayUrlAt, resourceUrl, SCOPE, withoutSlash } from "./resources.ts";

interface Addresses {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly orgName: string;
}

/** How clients prove who they are: mostly not at all, else by a secret or a key of their own. */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;
export const SIGNING_ALGORITHMS = ["ES256", "PS256", "RS256", "EdDSA"] as const;

/** RFC 9728, for the very address that a client used. Undefined: there is nothing of ours at that path. */
export function resourceMetadata(
  { baseUrl, gatewayUrl, orgName }: Addresses,
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
export function serverMetadata({ baseUrl }: Pick<Addresses, "baseUrl">): object {
  const issuer = issuerOf(baseUrl);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    code_challenge_methods_supported: ["S256"],
    scopes_supported: [SCOPE],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Where that document stands for an address of the gateway, but for its path. */
export function resourceMetadataUrl(gatewayUrl: string, host: string | undefined): string {
  return `${gatewayUrlAt(gatewayUrl, host)}/.well-known/oauth-protected-resource`;
}

export function issuerOf(baseUrl: string): string {
  return withoutSlash(baseUrl);
}
