import { gatewayPath, resourceUrl, SCOPE, withoutSlash } from "./resources.ts";

interface Addresses {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly orgName: string;
}

/** RFC 9728, for the very address that a client used. Undefined: there is nothing of ours at that path. */
export function resourceMetadata({ baseUrl, gatewayUrl, orgName }: Addresses, path: string): object | undefined {
  const known = gatewayPath(path);
  if (known === undefined) return undefined;
  return {
    resource: resourceUrl(gatewayUrl, known),
    resource_name: orgName,
    authorization_servers: [issuerOf(baseUrl)],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header"],
  };
}

/** RFC 8414. Written out rather than derived, so that no request can influence it. */
export function serverMetadata({ baseUrl }: Pick<Addresses, "baseUrl">): object {
  const issuer = issuerOf(baseUrl);
  const authMethods = ["none", "client_secret_basic", "client_secret_post"];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ["S256"],
    scopes_supported: [SCOPE],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

export function issuerOf(baseUrl: string): string {
  return withoutSlash(baseUrl);
}
