import { z } from "zod";
import { isWebUrl } from "#lib/web-url";

/** Metadata documents. Members that we use are validated strictly; others are ignored. */

const MAX_URL_LENGTH = 2_000;
const strings = z.array(z.string().max(500)).max(1_000);
const address = z.string().max(MAX_URL_LENGTH);

/** RFC 9728. */
export const ResourceMetadata = z.object({
  resource: address,
  authorization_servers: z.array(address).min(1).max(100),
  scopes_supported: strings.optional(),
});

/** Spec 4.6 row 1, RFC 8414. */
export const ServerMetadata = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  registration_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
  scopes_supported: strings.optional(),
  response_types_supported: strings.optional(),
  grant_types_supported: strings.optional(),
  code_challenge_methods_supported: strings.optional(),
  token_endpoint_auth_methods_supported: strings.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
});
export type ServerMetadata = z.output<typeof ServerMetadata>;

export const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
] as const;

/**
 * OA-8: browsers and secrets are sent to these endpoints. Plain HTTP is allowed only if the server itself uses it.
 * Undefined: valid; else the problem.
 */
export function faultOfEndpoint(url: string, serverUrl: string): string | undefined {
  if (!isWebUrl(url)) return "must be an https URL";
  const { protocol, hash } = new URL(url);
  if (hash !== "") return "must have no fragment";
  if (protocol === "http:" && !serverUrl.startsWith("http:")) return "must be an https URL";
  return undefined;
}

/** D35, OA-2: S256 is always sent; a server that lists other methods only would not verify it. */
export function faultOfMetadata(metadata: ServerMetadata, serverUrl: string): string | undefined {
  for (const name of ENDPOINTS) {
    const url = metadata[name];
    const fault = url === undefined ? undefined : faultOfEndpoint(url, serverUrl);
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  const { code_challenge_methods_supported: challenges, response_types_supported: responses } = metadata;
  if (challenges && !challenges.includes("S256")) return "code_challenge_methods_supported: must contain S256";
  if (responses && !responses.includes("code")) return "response_types_supported: must contain code";
  return undefined;
}
