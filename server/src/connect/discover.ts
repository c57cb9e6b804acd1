import { isObject } from "#lib/is-object";
import { isWebUrl } from "#lib/web-url";
import type { DiscoveredOAuth } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import { ask, askForDocument, DOCUMENT_BYTES, type Heard, type NotHeard, type Outside } from "./ask.ts";
import { type Challenge, readChallenge } from "./challenge.ts";
import { type DiscoveryFailed, firstFault, type StepLog } from "./fault.ts";
import { faultOfEndpoint, faultOfMetadata, ResourceMetadata, ServerMetadata } from "./metadata.ts";
import { coversResource, resourceMetadataUrls, resourceOf, serverMetadataUrls } from "./well-known.ts";

export type DiscoverableServer = Pick<McpServerRow, "upstream_transport" | "auth_settings"> & {
  readonly upstream_url: string;
};

/** What the protected resource says of itself; `issuer` is undefined where it names no authorization server. */
interface Resource {
  readonly resource: string;
  readonly issuer: string | undefined;
  readonly scopes: readonly string[];
}

/**
 * Spec 4.6 and the rules that came after it: the server's 401, RFC 9728, then RFC 8414 or OpenID Connect. A server that
 * says nothing is its own authorization server, at its origin (the shape of 2025-03-26). What an admin set wins.
 */
export async function discoverOAuth(
  outside: Outside,
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
  log.add("the server's settings", "authUrl and tokenUrl are set", "no document is read: an admin said it all");
  return {
    issuer: issuer ?? new URL(tokenUrl).origin,
    authorizationEndpoint: authUrl,
    tokenEndpoint: tokenUrl,
    ...(registrationUrl === undefined ? {} : { registrationEndpoint: registrationUrl }),
    resource: resource ?? resourceOf(server.upstream_url),
    scopes: [],
  };
}

async function fromDocuments(outside: Outside, server: DiscoverableServer, log: StepLog): Promise<DiscoveredOAuth> {
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
 * Without a token, as a new client would come: the answer should be a 401 that says where to go. A server that greets
 * everybody may ask for one only when its tools are wanted.
 */
async function askUnauthorized(outside: Outside, server: DiscoverableServer, log: StepLog): Promise<Challenge> {
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
  outside: Outside,
  url: string,
  { name, ...question }: Question,
  log: StepLog,
): Promise<Challenge | "no 401"> {
  const asked = `${question.method} ${url}${name} without a token`;
  const heard = await ask(outside, { ...question, url, maxBytes: DOCUMENT_BYTES });
  if ("failure" in heard) {
    const { kind, message } = heard.failure;
    // A stream that stays open is an answer too: only who cannot be reached cannot be asked further.
    if (kind !== "timeout" && kind !== "too-large") throw log.fail(asked, heard.words, message);
    log.add(asked, heard.words, NOT_ASKED_FOR);
    return NO_CHALLENGE;
  }
  if (heard.status !== 401) {
    log.add(asked, heard.words, NOT_ASKED_FOR);
    return "no 401";
  }
  const challenge = readChallenge(heard.headers["www-authenticate"]);
  const says = challenge.resourceMetadata === undefined ? "does not say" : "says";
  log.add(asked, heard.words, `it asks for a token, and ${says} where its metadata is`);
  return challenge;
}

const NOT_ASKED_FOR = "it does not ask for a token; looking for its documents all the same";

async function findResource(
  outside: Outside,
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
  // OA-5: a token for somebody else's resource is not asked for on this server's word.
  if (resource !== setResource && !coversResource(resource, server.upstream_url)) {
    throw log.fail(asked, `resource ${resource}`, `resource: must be ${resourceOf(server.upstream_url)}`);
  }
  if (setIssuer !== undefined && !issuers.includes(setIssuer)) {
    throw log.fail(asked, `authorization_servers ${issuers.join(", ")}`, `authorization_servers: lacks ${setIssuer}`);
  }
  const issuer = setIssuer ?? issuers[0];
  log.add(asked, "protected resource metadata", `its authorization server is ${issuer}`);
  return { resource, issuer, scopes };
}

async function findServerMetadata(
  outside: Outside,
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
  log.add("the server's origin", "no metadata document", "taking /authorize, /token and /register (MCP 2025-03-26)");
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
  // OA-3: exact, but for the slash that URL libraries put behind an origin, where the issuer is our own guess.
  const isMeant = metadata.issuer === issuer || (isOrigin && metadata.issuer === `${issuer}/`);
  if (!isMeant) throw log.fail(asked, `issuer ${metadata.issuer}`, `issuer: must be ${issuer}`);
  const fault = faultOfMetadata(metadata, server.upstream_url);
  if (fault !== undefined) throw log.fail(asked, "authorization server metadata", fault);
  log.add(asked, "authorization server metadata", `users sign in at ${metadata.authorization_endpoint}`);
  return metadata;
}

/** Undefined: there is none here. A server that fails is no server without a document: then we stop. */
async function readDocument(outside: Outside, url: string, log: StepLog): Promise<unknown> {
  const asked = `GET ${url}`;
  if (!isWebUrl(url)) throw log.fail(asked, "not asked", "resource_metadata: must be an https URL");
  const heard = await askForDocument(outside, url);
  const failure = failureOf(heard, url, log);
  if (failure) throw failure;
  if (!("failure" in heard) && heard.status === 200 && isObject(heard.json)) return heard.json;
  log.add(asked, heard.words, "no document here");
  return undefined;
}

function failureOf(heard: Heard | NotHeard, url: string, log: StepLog): DiscoveryFailed | undefined {
  const asked = `GET ${url}`;
  if ("failure" in heard) return log.fail(asked, heard.words, heard.failure.message);
  return heard.status >= 500 ? log.fail(asked, heard.words, `${url} answered HTTP ${heard.status}`) : undefined;
}

/** Also what an admin set, and before a secret goes there: an address that may not be reached is said now. */
function judgeEndpoints(
  outside: Outside,
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
      throw log.fail(`whether ${url} may be reached`, "no", error instanceof Error ? error.message : "refused");
    }
  }
  return found;
}

/** Some servers write what they do not have as null. */
function withoutNulls(json: unknown): unknown {
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}
