/** Finding out how to talk to an upstream: one question per era (MCP 2026-07-28, "versioning"). Cold path only. */
import type { Wire } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { isObject } from "#lib/is-object";
import { VERSION } from "#lib/version";
import { type ClientCapabilities, NO_CAPABILITIES } from "../../envelope/client-capabilities.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "../../envelope/era.ts";
import { HEADER_MISMATCH, METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY } from "../../envelope/errors.ts";
import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_PROTOCOL_VERSION } from "../../envelope/meta-keys.ts";
import { faultOfStatus, isRedirect, UpstreamFault } from "../failure.ts";
import { legacyHeaders, modernHeaders, modernRequestHeaders } from "../transport/headers.ts";
import { jsonRpc } from "../transport/json-rpc.ts";
import { type Reply, type RequestOptions, sendRequest } from "../transport/request.ts";

export const [MODERN_VERSION] = MODERN_VERSIONS;
const [LEGACY_VERSION] = LEGACY_VERSIONS;
const KNOWN_LEGACY: readonly unknown[] = LEGACY_VERSIONS;
const CLIENT_INFO = { name: "gatehouse", version: VERSION };

/** What every modern request says about its sender. No capability: an upstream may ask nothing back. */
export const MODERN_META = {
  [META_PROTOCOL_VERSION]: MODERN_VERSION,
  [META_CLIENT_CAPABILITIES]: {},
  [META_CLIENT_INFO]: CLIENT_INFO,
};

export const HANDSHAKE_MS = 10_000;
const HANDSHAKE_BYTES = 1 << 20;
/** Visible ASCII, as the protocol demands; anything else could not be sent back as a header. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/** An upstream's endpoint, and whatever a question to it needs. */
export interface Endpoint {
  readonly wire: () => Wire;
  readonly clock: Clock;
  readonly origin: string;
  readonly path: string;
  readonly nextId: () => number;
  /** Extra headers for each request, such as a credential; flat list of names and values. May be renewed. */
  extraHeaders: readonly string[];
}

/** What an upstream says that it offers, by name; undefined when it did not say. */
export type Capabilities = Readonly<Record<string, unknown>> | undefined;

export interface OpenedSession {
  readonly version: string;
  readonly sessionId: string | undefined;
  readonly capabilities: Capabilities;
}

export function requestOptions(endpoint: Endpoint, id: number | undefined, maxBytes = HANDSHAKE_BYTES): RequestOptions {
  return { clock: endpoint.clock, id, deadlineMs: HANDSHAKE_MS, maxBytes };
}

export async function speaksModern(endpoint: Endpoint): Promise<boolean> {
  return (await discoverModern(endpoint)).spoken;
}

export interface Discovery {
  readonly spoken: boolean;
  readonly capabilities: Capabilities;
}

/** Throws UpstreamFault where the answer says nothing about eras: 401 and 403 least of all. */
export async function discoverModern(endpoint: Endpoint): Promise<Discovery> {
  const id = endpoint.nextId();
  const method = "server/discover";
  const headers = [...modernHeaders(MODERN_VERSION), ...endpoint.extraHeaders];
  const ownHeaders = modernRequestHeaders(method, undefined, []);
  const body = discoverBody(id);
  const message = { method: "POST", path: endpoint.path, headers, ownHeaders, body } as const;
  const reply = await sendRequest(endpoint.wire(), message, requestOptions(endpoint, id));
  refuseNoVerdict(reply);
  const { response, status } = reply;
  if (response?.result) {
    return { spoken: listsModern(response.result), capabilities: capabilitiesOf(response.result) };
  }
  const code = response?.error?.code;
  // Only a modern server says these to a well-formed modern request; a legacy one answers an unknown method with 200.
  const spoken =
    code === HEADER_MISMATCH || code === MISSING_CLIENT_CAPABILITY || (code === METHOD_NOT_FOUND && status === 404);
  return { spoken, capabilities: undefined };
}

export function discoverBody(id: number): Buffer {
  return jsonRpc({ id, method: "server/discover", params: { _meta: MODERN_META } });
}

export function listsModern({ supportedVersions: versions }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(versions) && versions.includes(MODERN_VERSION);
}

export function capabilitiesOf({ capabilities }: Readonly<Record<string, unknown>>): Capabilities {
  return isObject(capabilities) ? capabilities : undefined;
}

/** Undefined when the upstream does not do the legacy handshake. Throws like `speaksModern`. */
export async function openLegacySession(
  endpoint: Endpoint,
  declared = NO_CAPABILITIES,
): Promise<OpenedSession | undefined> {
  const id = endpoint.nextId();
  const body = initializeBody(id, declared);
  const headers = [...legacyHeaders(undefined, undefined), ...endpoint.extraHeaders];
  const reply = await sendRequest(
    endpoint.wire(),
    { method: "POST", path: endpoint.path, headers, body },
    requestOptions(endpoint, id),
  );
  refuseNoVerdict(reply);
  if (!isObject(reply.response?.result)) return undefined;
  const { result } = reply.response;
  const session = {
    version: readVersion(result),
    sessionId: readSessionId(reply),
    capabilities: capabilitiesOf(result),
  };
  await sayInitialized(endpoint, session);
  return session;
}

/** `declared`: what the caller behind us can be asked. */
export function initializeBody(id: number, declared: ClientCapabilities): Buffer {
  const params = { protocolVersion: LEGACY_VERSION, capabilities: declared, clientInfo: CLIENT_INFO };
  return jsonRpc({ id, method: "initialize", params });
}

export function initializedBody(): Buffer {
  return jsonRpc({ method: "notifications/initialized" });
}

/** The version that the upstream chose. */
export function readVersion({ protocolVersion: version }: Readonly<Record<string, unknown>>): string {
  if (typeof version === "string" && KNOWN_LEGACY.includes(version)) return version;
  throw new UpstreamFault("bad-answer", "speaks a version of MCP that this gateway does not know");
}

function readSessionId(reply: Reply): string | undefined {
  const sessionId = reply.headers.get("mcp-session-id");
  if (sessionId === undefined || SESSION_ID.test(sessionId)) return sessionId;
  throw new UpstreamFault("bad-answer", "gave a session id that is not valid");
}

/** Awaited, so that no call overtakes it on another connection. */
async function sayInitialized(endpoint: Endpoint, session: OpenedSession): Promise<void> {
  const headers = [...legacyHeaders(session.version, session.sessionId), ...endpoint.extraHeaders];
  const body = initializedBody();
  await sendRequest(
    endpoint.wire(),
    { method: "POST", path: endpoint.path, headers, body },
    requestOptions(endpoint, undefined),
  );
}

/** Best effort: a session that nobody ends times out at the upstream's own pace. */
export async function endLegacySession(endpoint: Endpoint, headers: readonly string[]): Promise<void> {
  const message = { method: "DELETE", path: endpoint.path, headers, body: null } as const;
  await sendRequest(endpoint.wire(), message, requestOptions(endpoint, undefined)).catch(() => undefined);
}

function refuseNoVerdict({ status, headers }: Reply): void {
  if (saysNothingOfEras(status)) throw faultOfStatus(status, headers);
}

/** What a server says for reasons of its own, whatever it speaks. */
export function saysNothingOfEras(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 500 || isRedirect(status);
}

export function notSpoken(transport: "http" | "sse" | "both"): string {
  const over = { http: "streamable HTTP", sse: "HTTP+SSE", both: "streamable HTTP or HTTP+SSE" };
  return `does not speak MCP over ${over[transport]} at its URL`;
}
