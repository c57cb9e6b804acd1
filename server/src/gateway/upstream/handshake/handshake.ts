/** Finds out how to talk to an upstream: one request per era (MCP 2026-07-28, "Versioning"). Never on the hot path. */
import { isObject } from "#lib/is-object";
import { VERSION } from "#lib/version";
import { type ClientCapabilities, NO_CAPABILITIES } from "../../envelope/client-capabilities.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "../../envelope/era.ts";
import {
  HEADER_MISMATCH,
  METHOD_NOT_FOUND,
  MISSING_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "../../envelope/errors.ts";
import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_PROTOCOL_VERSION } from "../../envelope/meta-keys.ts";
import { faultOfStatus, isRedirect, UpstreamFault } from "../failure.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import { legacyHeaders, modernHeaders, modernRequestHeaders } from "../transport/headers.ts";
import { jsonRpc } from "../transport/json-rpc.ts";
import { type JsonRpcResponse, type Reply, type RequestOptions, sendRequest } from "../transport/request.ts";

export const [MODERN_VERSION] = MODERN_VERSIONS;
const [LEGACY_VERSION] = LEGACY_VERSIONS;
const KNOWN_LEGACY: readonly unknown[] = LEGACY_VERSIONS;
const CLIENT_INFO = { name: "gatehouse", version: VERSION };

/** The `_meta` of modern requests of the gateway itself. No capability: the upstream can send no requests back. */
export const MODERN_META = {
  [META_PROTOCOL_VERSION]: MODERN_VERSION,
  [META_CLIENT_CAPABILITIES]: {},
  [META_CLIENT_INFO]: CLIENT_INFO,
};

export const HANDSHAKE_MS = 10_000;
const HANDSHAKE_BYTES = 1 << 20;
/** Visible ASCII, as the protocol requires; anything else could not be sent back as a header. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/** What an upstream declares that it offers; undefined when it declares nothing. */
export type Capabilities = Readonly<Record<string, unknown>> | undefined;

export interface OpenedSession {
  readonly version: string;
  readonly sessionId: string | undefined;
  readonly capabilities: Capabilities;
  readonly instructions: string | undefined;
}

export function requestOptions(
  { clock }: Endpoint,
  id: number | undefined,
  maxBytes: number = HANDSHAKE_BYTES,
): RequestOptions {
  return { clock, id, deadlineMs: HANDSHAKE_MS, maxBytes };
}

export interface Discovery {
  readonly spoken: boolean;
  readonly capabilities: Capabilities;
  readonly instructions?: string | undefined;
  /** A status of 500 or more. Some legacy servers fail at unknown methods, so the legacy era is tried next. */
  readonly failure?: UpstreamFault;
}

/** Rejects with UpstreamFault when the response does not concern eras, as a 401 or 403 does. */
export async function discoverModern(endpoint: Endpoint): Promise<Discovery> {
  const first = await sendDiscover(endpoint);
  // A server that refuses a version which it lists speaks it; it gets no `initialize`.
  const reply = listsModern(first.response) ? await sendDiscover(endpoint) : first;
  const { response, status } = reply;
  if (status >= 500) return { spoken: false, capabilities: undefined, failure: faultOfStatus(status) };
  rejectUnrelatedStatus(reply);
  if (response?.result) {
    const { result } = response;
    return {
      spoken: supportsModern(result),
      capabilities: capabilitiesOf(result),
      instructions: instructionsOf(result),
    };
  }
  const code = response?.error?.code;
  // Only a modern server sends these for a well-formed modern request; a legacy one answers an unknown method with 200.
  const spoken =
    listsModern(response) ||
    code === HEADER_MISMATCH ||
    code === MISSING_CLIENT_CAPABILITY ||
    (code === METHOD_NOT_FOUND && status === 404);
  return { spoken, capabilities: undefined };
}

async function sendDiscover(endpoint: Endpoint): Promise<Reply> {
  const id = endpoint.nextId();
  const headers = [...modernHeaders(MODERN_VERSION), ...endpoint.extraHeaders];
  const ownHeaders = modernRequestHeaders("server/discover", undefined, []);
  const message = { method: "POST", path: endpoint.path, headers, ownHeaders, body: discoverBody(id) } as const;
  return sendRequest(endpoint.wire(), message, requestOptions(endpoint, id));
}

function listsModern(response: JsonRpcResponse | undefined): boolean {
  const { code, data } = response?.error ?? {};
  if (code !== UNSUPPORTED_PROTOCOL_VERSION || !isObject(data)) return false;
  return Array.isArray(data.supported) && data.supported.includes(MODERN_VERSION);
}

export function discoverBody(id: number): Buffer {
  return jsonRpc({ id, method: "server/discover", params: { _meta: MODERN_META } });
}

export function supportsModern({ supportedVersions: versions }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(versions) && versions.includes(MODERN_VERSION);
}

export function capabilitiesOf({ capabilities }: Readonly<Record<string, unknown>>): Capabilities {
  return isObject(capabilities) ? capabilities : undefined;
}

export function instructionsOf({ instructions }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof instructions === "string" ? instructions : undefined;
}

/** Undefined when the upstream does not support the legacy handshake. Rejects like `discoverModern`. */
export async function openLegacySession(
  endpoint: Endpoint,
  clientCapabilities = NO_CAPABILITIES,
): Promise<OpenedSession | undefined> {
  let reply = await sendInitialize(endpoint, clientCapabilities, LEGACY_VERSION);
  const otherVersion = supportedVersion(reply.response);
  if (otherVersion !== undefined) reply = await sendInitialize(endpoint, clientCapabilities, otherVersion);
  if (!isObject(reply.response?.result)) return undefined;
  const { result } = reply.response;
  const session = {
    version: readVersion(result),
    sessionId: readSessionId(reply),
    capabilities: capabilitiesOf(result),
    instructions: instructionsOf(result),
  };
  await sendInitialized(endpoint, session);
  return session;
}

async function sendInitialize(
  endpoint: Endpoint,
  clientCapabilities: ClientCapabilities,
  version: string,
): Promise<Reply> {
  const { path } = endpoint;
  const id = endpoint.nextId();
  const body = initializeBody(id, clientCapabilities, version);
  const headers = [...legacyHeaders(undefined, undefined), ...endpoint.extraHeaders];
  const message = { method: "POST", path, headers, body } as const;
  const reply = await sendRequest(endpoint.wire(), message, requestOptions(endpoint, id));
  rejectUnrelatedStatus(reply);
  return reply;
}

/** The newest version that both sides support, if the upstream refused ours and named its own. */
export function supportedVersion(response: JsonRpcResponse | undefined): string | undefined {
  const { code, data } = response?.error ?? {};
  if (code !== UNSUPPORTED_PROTOCOL_VERSION || !isObject(data) || !Array.isArray(data.supported)) return undefined;
  const { supported } = data;
  return LEGACY_VERSIONS.find((version) => version !== LEGACY_VERSION && supported.includes(version));
}

export function initializeBody(
  id: number,
  clientCapabilities: ClientCapabilities,
  protocolVersion: string = LEGACY_VERSION,
): Buffer {
  const params = { protocolVersion, capabilities: clientCapabilities, clientInfo: CLIENT_INFO };
  return jsonRpc({ id, method: "initialize", params });
}

export function initializedBody(): Buffer {
  return jsonRpc({ method: "notifications/initialized" });
}

/** The version that the upstream chose. */
export function readVersion({ protocolVersion: version }: Readonly<Record<string, unknown>>): string {
  if (typeof version === "string" && KNOWN_LEGACY.includes(version)) return version;
  throw new UpstreamFault("bad-answer", "uses an MCP version that the gateway does not support");
}

function readSessionId(reply: Reply): string | undefined {
  const sessionId = reply.headers.get("mcp-session-id");
  if (sessionId === undefined || SESSION_ID.test(sessionId)) return sessionId;
  throw new UpstreamFault("bad-answer", "sent an invalid session ID");
}

/** Awaited, so that no call overtakes it on another connection. */
async function sendInitialized(endpoint: Endpoint, session: OpenedSession): Promise<void> {
  const { path } = endpoint;
  const headers = [...legacyHeaders(session.version, session.sessionId), ...endpoint.extraHeaders];
  const message = { method: "POST", path, headers, body: initializedBody() } as const;
  await sendRequest(endpoint.wire(), message, requestOptions(endpoint, undefined));
}

/** Best effort: the upstream ends unclosed sessions after its own timeout. */
export async function endLegacySession(endpoint: Endpoint, headers: readonly string[]): Promise<void> {
  const message = { method: "DELETE", path: endpoint.path, headers, body: null } as const;
  await sendRequest(endpoint.wire(), message, requestOptions(endpoint, undefined)).catch(() => undefined);
}

function rejectUnrelatedStatus({ status, headers }: Reply): void {
  if (isUnrelatedToEras(status)) throw faultOfStatus(status, headers);
}

/** Statuses that a server sends for other reasons, whichever era it speaks. */
export function isUnrelatedToEras(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 500 || isRedirect(status);
}
