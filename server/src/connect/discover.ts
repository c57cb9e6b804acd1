import { isObject } from "#lib/is-object";
import { isWebUrl } from "#lib/web-url";
import type { DiscoveredOAuth } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import { type Challenge, readChallenge } from "./challenge.ts";
import { type DiscoveryFailed, firstFault, type StepLog } from "./fault.ts";
import { faultOfEndpoint, faultOfMetadata, ResourceMetadata, ServerMetadata } from "./metadata.ts";
import {
  DOCUMENT_BYTES,
  type FailedRequest,
  fetchDocument,
  type OAuthEgress,
  type OAuthResponse,
  sendRequest,
} from "./oauth-request.ts";
import { coversResource, resourceMetadataUrls, resourceOf, serverMetadataUrls } from "./well-known.ts";

export type DiscoverableServer = Pick<McpServerRow, "upstream_transport" | "auth_settings" | "discovered_oauth"> & {
  readonly upstream_url: string;
};

/** The protected resource metadata; `issuer` is undefined if it names no authorization server. */
interface Resource {
  readonly resource: string;
  readonly issuer: string | undefined;
  readonly scopes: readonly string[];
}

/**
 * Spec 4.6 and later revisions: the server's 401, RFC 9728, then RFC 8414 or OpenID Connect. A server without documents is
 * its own authorization server at its origin (MCP 2025-03-26). Settings of an admin take precedence.
 */
export async function discoverOAuth(
  outside: OAuthEgress,
  server: DiscoverableServer,
  log: StepLog,
): Promise<DiscoveredOAuth> {
  const { authUrl, tokenUrl } = server.auth_settings;
  const found =
    authUrl !== undefined && tokenUrl !== undefined
      ? fromSettings(server, authUrl, tokenUrl, log)
      : await fromDocuments(outside, server, log);
  return judgeEndpoints(outside, server, found, log);
}

function fromSettings(server: DiscoverableServer, authUrl: string, tokenUrl: string, log: StepLog): DiscoveredOAuth {
  const { issuer, resource, registrationUrl } = server.auth_settings;
  log.add("the server's settings", "authUrl and tokenUrl are set", "no documents are fetched");
  return {
    issuer: issuer ?? new URL(tokenUrl).origin,
    authorizationEndpoint: authUrl,
    tokenEndpoint: tokenUrl,
    ...(registrationUrl === undefined ? {} : { registrationEndpoint: registrationUrl }),
    resource: resource ?? resourceOf(server.upstream_url),
    scopes: [],
  };
}

async function fromDocuments(outside: OAuthEgress, server: DiscoverableServer, log: StepLog): Promise<DiscoveredOAuth> {
  const challenge = await askUnauthorized(outside, server, log);
  const { resource, issuer, scopes } = await findResource(outside, server, challenge, log);
  const metadata = await findServerMetadata(outside, server, issuer, log);
  const { authUrl, tokenUrl, registrationUrl } = server.auth_settings;
  const registrationEndpoint = registrationUrl ?? metadata.registration_endpoint;
  const wanted = challenge.scope === undefined ? scopes : scopesIn(challenge.scope);
  const offline = metadata.scopes_supported?.includes("offline_access") ? ["offline_access"] : [];
  return {
    issuer: metadata.issuer,
    authorizationEndpoint: authUrl ?? metadata.authorization_endpoint,
    tokenEndpoint: tokenUrl ?? metadata.token_endpoint,
    ...(registrationEndpoint === undefined ? {} : { registrationEndpoint }),
    ...(metadata.revocation_endpoint === undefined ? {} : { revocationEndpoint: metadata.revocation_endpoint }),
    resource: server.auth_settings.resource ?? resource,
    scopes: [...new Set([...wanted, ...offline])],
    ...(metadata.token_endpoint_auth_methods_supported && {
      authMethods: metadata.token_endpoint_auth_methods_supported,
    }),
    ...(metadata.grant_types_supported && { grantTypes: metadata.grant_types_supported }),
    ...(metadata.authorization_response_iss_parameter_supported && { namesIssuer: true }),
    ...(metadata.client_id_metadata_document_supported && { readsClientDocuments: true }),
  };
}

export function scopesIn(text: string): string[] {
  return text.split(/\s+/).filter((scope) => scope !== "");
}

/**
 * Sends requests without a token, as a new client does, to get a 401 with a challenge. Some servers accept `initialize`
 * and require a token only for the tools.
 */
async function askUnauthorized(outside: OAuthEgress, server: DiscoverableServer, log: StepLog): Promise<Challenge> {
  for (const question of server.upstream_transport === "sse" ? [OPEN_STREAM] : [INITIALIZE, LIST_TOOLS]) {
    const challenge = await askOnce(outside, server.upstream_url, question, log);
    if (challenge !== "no 401") return challenge;
  }
  return NO_CHALLENGE;
}

interface Question {
  readonly method: "GET" | "POST";
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const NO_CHALLENGE: Challenge = { resourceMetadata: undefined, scope: undefined };
const OPEN_STREAM: Question = { method: "GET", name: "", headers: { accept: "text/event-stream" } };
const INITIALIZE = questionOf("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "gatehouse", version: "1" },
});
const LIST_TOOLS = questionOf("tools/list", {});

function questionOf(method: string, params: object): Question {
  return {
    method: "POST",
    name: ` (${method})`,
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

async function askOnce(
  outside: OAuthEgress,
  url: string,
  { name, ...question }: Question,
  log: StepLog,
): Promise<Challenge | "no 401"> {
  const asked = `${question.method} ${url}${name} without a token`;
  const response = await sendRequest(outside, { ...question, url, maxBytes: DOCUMENT_BYTES });
  if ("failure" in response) {
    const { kind, message } = response.failure;
    // A stream that stays open is a response; discovery stops only if the server is unreachable.
    if (kind !== "timeout" && kind !== "too-large") throw log.fail(asked, response.summary, message);
    log.add(asked, response.summary, NOT_ASKED_FOR);
    return NO_CHALLENGE;
  }
  if (response.status !== 401) {
    log.add(asked, response.summary, NOT_ASKED_FOR);
    return "no 401";
  }
  const challenge = readChallenge(response.headers["www-authenticate"]);
  const says = challenge.resourceMetadata === undefined ? "does not specify" : "specifies";
  log.add(asked, response.summary, `it requires a token and ${says} where its metadata is`);
  return challenge;
}

const NOT_ASKED_FOR = "it does not require a token; looking for its documents anyway";

async function findResource(
  outside: OAuthEgress,
  server: DiscoverableServer,
  challenge: Challenge,
  log: StepLog,
): Promise<Resource> {
  const named = challenge.resourceMetadata;
  const urls = [...new Set([...(named === undefined ? [] : [named]), ...resourceMetadataUrls(server.upstream_url)])];
  for (const url of urls) {
    const json = await readDocument(outside, url, log);
    if (json !== undefined) return judgeResource(url, json, server, log);
  }
  return { resource: resourceOf(server.upstream_url), issuer: undefined, scopes: [] };
}

function judgeResource(url: string, json: unknown, server: DiscoverableServer, log: StepLog): Resource {
  const asked = `GET ${url}`;
  const judged = ResourceMetadata.safeParse(withoutNulls(json));
  if (!judged.success) throw log.fail(asked, "protected resource metadata", firstFault(judged.error));
  const { resource, authorization_servers: issuers, scopes_supported: scopes = [] } = judged.data;
  const { resource: setResource, issuer: setIssuer } = server.auth_settings;
  // OA-5: no token is requested for a resource of another server, whatever this server claims.
  if (resource !== setResource && !coversResource(resource, server.upstream_url)) {
    throw log.fail(asked, `resource ${resource}`, `resource: must be ${resourceOf(server.upstream_url)}`);
  }
  if (setIssuer !== undefined && !issuers.includes(setIssuer)) {
    throw log.fail(asked, `authorization_servers ${issuers.join(", ")}`, `authorization_servers: lacks ${setIssuer}`);
  }
  const pinned = server.discovered_oauth?.issuer;
  const issuer = setIssuer ?? (pinned !== undefined && issuers.includes(pinned) ? pinned : issuers[0]);
  log.add(asked, "protected resource metadata", `its authorization server is ${issuer}`);
  return { resource, issuer, scopes };
}

async function findServerMetadata(
  outside: OAuthEgress,
  server: DiscoverableServer,
  named: string | undefined,
  log: StepLog,
): Promise<ServerMetadata> {
  const origin = new URL(server.upstream_url).origin;
  const issuer = named ?? server.auth_settings.issuer ?? origin;
  if (!isWebUrl(issuer)) throw log.fail("the issuer", issuer, "authorization_servers: must be https URLs");
  for (const url of serverMetadataUrls(issuer)) {
    const json = await readDocument(outside, url, log);
    if (json !== undefined) return judgeServerMetadata(url, json, issuer, issuer === origin, server, log);
  }
  if (issuer !== origin || named !== undefined) {
    throw log.fail(`the documents of ${issuer}`, "none", "the authorization server has no metadata document");
  }
  log.add("the server's origin", "no metadata document", "using /authorize, /token, and /register (MCP 2025-03-26)");
  const at = (path: string) => `${origin}${path}`;
  return {
    issuer: origin,
    authorization_endpoint: at("/authorize"),
    token_endpoint: at("/token"),
    registration_endpoint: at("/register"),
  };
}

function judgeServerMetadata(
  url: string,
  json: unknown,
  issuer: string,
  isOrigin: boolean,
  server: DiscoverableServer,
  log: StepLog,
): ServerMetadata {
  const asked = `GET ${url}`;
  const judged = ServerMetadata.safeParse(withoutNulls(json));
  if (!judged.success) throw log.fail(asked, "authorization server metadata", firstFault(judged.error));
  const metadata = judged.data;
  // OA-3: exact, except for the slash that URL libraries add to an origin if the issuer is our own guess.
  const isMeant = metadata.issuer === issuer || (isOrigin && metadata.issuer === `${issuer}/`);
  if (!isMeant) throw log.fail(asked, `issuer ${metadata.issuer}`, `issuer: must be ${issuer}`);
  const fault = faultOfMetadata(metadata, server.upstream_url);
  if (fault !== undefined) throw log.fail(asked, "authorization server metadata", fault);
  log.add(asked, "authorization server metadata", `users sign in at ${metadata.authorization_endpoint}`);
  return metadata;
}

/** Undefined: no document at this URL. A failing server is different from a missing document and stops the discovery. */
async function readDocument(outside: OAuthEgress, url: string, log: StepLog): Promise<unknown> {
  const asked = `GET ${url}`;
  if (!isWebUrl(url)) throw log.fail(asked, "not requested", "resource_metadata: must be an https URL");
  const response = await fetchDocument(outside, url);
  const failure = failureOf(response, url, log);
  if (failure) throw failure;
  if (!("failure" in response) && response.status === 200 && isObject(response.json)) return response.json;
  log.add(asked, response.summary, "no document at this URL");
  return undefined;
}

function failureOf(response: OAuthResponse | FailedRequest, url: string, log: StepLog): DiscoveryFailed | undefined {
  const asked = `GET ${url}`;
  if ("failure" in response) return log.fail(asked, response.summary, response.failure.message);
  return response.status >= 500
    ? log.fail(asked, response.summary, `${url} answered HTTP ${response.status}`)
    : undefined;
}

/** Checks the endpoints, including those of an admin, before a secret is sent there. */
function judgeEndpoints(
  outside: OAuthEgress,
  server: DiscoverableServer,
  found: DiscoveredOAuth,
  log: StepLog,
): DiscoveredOAuth {
  const fault = faultOfEndpoint(found.authorizationEndpoint, server.upstream_url);
  if (fault) throw log.fail("the authorization endpoint", found.authorizationEndpoint, `authUrl: ${fault}`);
  for (const url of [found.tokenEndpoint, found.registrationEndpoint, found.revocationEndpoint]) {
    if (url === undefined) continue;
    try {
      outside.assertReachableUrl(url);
    } catch (error) {
      throw log.fail(`whether ${url} is allowed`, "no", error instanceof Error ? error.message : "refused");
    }
  }
  return found;
}

/** Some servers send null for missing members. */
function withoutNulls(json: unknown): unknown {
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}
