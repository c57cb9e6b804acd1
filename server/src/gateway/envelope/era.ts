/**
 * Determines a message's era from its body. Headers are only compared with the body: a proxy may drop them, and
 * policies must act on the bytes the upstream reads.
 */
import type { Member } from "#lib/json/scan";
import { readString } from "#lib/json/splice";
import { CONNECTION_ERROR, HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_PROTOCOL_VERSION } from "./errors.ts";
import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_LOG_LEVEL, META_PROTOCOL_VERSION } from "./meta-keys.ts";
import { decodeMirrored } from "./mirrored-header.ts";
import type { NotificationMessage, RequestMessage } from "./read-request.ts";

/** Newest first. */
export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;
export const MODERN_VERSIONS = ["2026-07-28"] as const;
const FIRST_MODERN_VERSION = "2026-07-28";

/** As Node reports them; undefined when absent. */
export interface EraHeaders {
  /** `MCP-Protocol-Version` */
  readonly protocolVersion: string | undefined;
  /** `Mcp-Method` */
  readonly method: string | undefined;
  /** `Mcp-Name` */
  readonly name: string | undefined;
}

export type EraResult =
  | { readonly era: "modern"; readonly version: string }
  /** `version` comes from the header, which callers may omit. */
  | { readonly era: "legacy"; readonly version: string | undefined }
  | EraRefusal;

/** Returned as HTTP 400 with this JSON-RPC error. */
export interface EraRefusal {
  readonly era: "refused";
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

type Call = RequestMessage | NotificationMessage;

export function determineEra(message: Call, headers: EraHeaders): EraResult {
  const versionMember = message.params?.meta?.members.get(META_PROTOCOL_VERSION);
  const headerIsModern = headers.protocolVersion !== undefined && isModern(headers.protocolVersion);
  if (message.method === "initialize" && !hasModernEnvelope(message, versionMember)) {
    if (headerIsModern)
      return mismatch("initialize is a legacy method, but the MCP-Protocol-Version header is not a legacy version");
    return { era: "legacy", version: undefined };
  }
  if (versionMember !== undefined || message.method === "server/discover")
    return checkModern(message, versionMember, headers);
  if (!headerIsModern) return checkLegacy(headers.protocolVersion);
  // Modern notifications need no envelope.
  if (message.kind === "notification") return checkNotification(message, headers.protocolVersion, headers);
  return refused(INVALID_PARAMS, `Invalid params: _meta is missing ${META_PROTOCOL_VERSION}`);
}

/** The version returned by `initialize`: the requested one if supported, otherwise the newest legacy version. */
export function negotiateLegacyVersion(requested: string | undefined): string {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS[0];
}

function isModern(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= FIRST_MODERN_VERSION;
}

/** A complete modern envelope takes precedence over the method name: the modern protocol has no `initialize`. */
function hasModernEnvelope(message: Call, versionMember: Member | undefined): boolean {
  return (
    versionMember?.kind === "string" &&
    isModern(readString(message.source, versionMember)) &&
    envelopeProblem(message, versionMember) === undefined
  );
}

function checkLegacy(version: string | undefined): EraResult {
  if (version === undefined || LEGACY_VERSIONS.some((known) => known === version)) return { era: "legacy", version };
  const supported = LEGACY_VERSIONS.join(", ");
  const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`;
  return refused(CONNECTION_ERROR, message);
}

function checkModern(message: Call, versionMember: Member | undefined, headers: EraHeaders): EraResult {
  const problem = envelopeProblem(message, versionMember);
  if (versionMember === undefined || problem !== undefined)
    return refused(INVALID_PARAMS, `Invalid params: ${problem}`);
  const version = readString(message.source, versionMember);
  if (message.kind === "notification") return checkNotification(message, version, headers);

  const contradiction = headerContradiction(message, version, headers);
  if (contradiction !== undefined) return mismatch(contradiction);
  if (!MODERN_VERSIONS.some((known) => known === version)) return unsupported(version);
  const headerProblem = missingHeader(headers) ?? nameProblem(message, headers.name);
  return headerProblem === undefined ? { era: "modern", version } : mismatch(headerProblem);
}

/** Only requests must have the headers. */
function checkNotification(message: Call, version: string | undefined, headers: EraHeaders): EraResult {
  const contradiction = headerContradiction(message, version, headers);
  if (contradiction !== undefined) return mismatch(contradiction);
  const supported = MODERN_VERSIONS.find((known) => known === version);
  return supported === undefined ? unsupported(version) : { era: "modern", version: supported };
}

/** Returns the first member of the modern envelope that is missing or has the wrong type. */
function envelopeProblem(message: Call, versionMember: Member | undefined): string | undefined {
  const members = message.params?.meta?.members;
  if (versionMember?.kind !== "string") return `_meta needs ${META_PROTOCOL_VERSION}, a string`;
  const info = members?.get(META_CLIENT_INFO);
  if (info !== undefined && info.kind !== "object") return `${META_CLIENT_INFO} must be an object`;
  const level = members?.get(META_LOG_LEVEL);
  if (level !== undefined && level.kind !== "string") return `${META_LOG_LEVEL} must be a string`;
  if (message.kind === "notification") return undefined;
  const capabilities = members?.get(META_CLIENT_CAPABILITIES);
  return capabilities?.kind === "object" ? undefined : `_meta needs ${META_CLIENT_CAPABILITIES}, an object`;
}

function headerContradiction(message: Call, version: string | undefined, headers: EraHeaders): string | undefined {
  if (headers.protocolVersion !== undefined && headers.protocolVersion !== version) {
    return "the MCP-Protocol-Version header does not match _meta";
  }
  if (headers.method !== undefined && decodeMirrored(headers.method) !== message.method) {
    return "the Mcp-Method header does not match the body";
  }
  return undefined;
}

function missingHeader(headers: EraHeaders): string | undefined {
  if (headers.protocolVersion === undefined) return "the MCP-Protocol-Version header is missing";
  return headers.method === undefined ? "the Mcp-Method header is missing" : undefined;
}

/** A body without the value passes here; the method reports what is missing. */
function nameProblem(message: Call, header: string | undefined): string | undefined {
  const value = mirroredName(message);
  if (value === undefined) return undefined;
  if (header === undefined) return "the Mcp-Name header is missing";
  return decodeMirrored(header) === value ? undefined : "the Mcp-Name header does not match the body";
}

/** The value that the `Mcp-Name` header repeats; undefined for methods without that header. */
export function mirroredName(message: Call): string | undefined {
  switch (message.method) {
    case "tools/call":
    case "prompts/get":
      return message.params?.name;
    case "resources/read":
      return message.params?.uri;
    default:
      return undefined;
  }
}

function mismatch(what: string): EraRefusal {
  return refused(HEADER_MISMATCH, `Bad Request: ${what}`);
}

function unsupported(requested: string | undefined): EraRefusal {
  const data = { supported: MODERN_VERSIONS, requested };
  return refused(UNSUPPORTED_PROTOCOL_VERSION, `Unsupported protocol version: ${requested}`, data);
}

function refused(code: number, message: string, data?: unknown): EraRefusal {
  return { era: "refused", code, message, data };
}
