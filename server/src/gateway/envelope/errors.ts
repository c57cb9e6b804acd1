/** JSON-RPC error codes and the encoding of errors. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Used by legacy servers for all errors of the connection itself. */
export const CONNECTION_ERROR = -32000;
export const SESSION_NOT_FOUND = -32001;
/** A guard blocked a request that has no tool result. */
export const GUARD_BLOCKED = -32001;
export const HEADER_MISMATCH = -32020;
export const MISSING_CLIENT_CAPABILITY = -32021;
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;
/** Legacy only; modern servers must use INVALID_PARAMS instead. */
export const RESOURCE_NOT_FOUND_LEGACY = -32002;
/** Only for clients of version 2025-11-25. */
export const URL_ELICITATION_REQUIRED = -32042;

/** MCP 2026-07-28: errors that also set the HTTP status. Legacy callers would interpret a 404 as a lost session. */
const MODERN_STATUS = new Map([
  [METHOD_NOT_FOUND, 404],
  [HEADER_MISMATCH, 400],
  [MISSING_CLIENT_CAPABILITY, 400],
  [UNSUPPORTED_PROTOCOL_VERSION, 400],
]);

/** The HTTP status for an error returned by an upstream. */
export function statusOfError(era: "modern" | "legacy", code: number): number {
  return (era === "modern" && MODERN_STATUS.get(code)) || 200;
}

/** Spec 4.5: the body of every 401 response of the gateway. */
export const INVALID_TOKEN_BODY: Buffer = Buffer.from('{"error":"invalid_token"}');

/** F12. */
export const TOOLKIT_NOT_FOUND_BODY: Buffer = Buffer.from('{"error":"Toolkit not found"}');

/**
 * `rawId` is the id as the caller sent it (GW-3), or undefined when it could not be read; the body then contains null.
 */
export function errorBody(rawId: string | undefined, code: number, message: string, data?: unknown): Buffer {
  const error = JSON.stringify(data === undefined ? { code, message } : { code, message, data });
  return Buffer.from(`{"jsonrpc":"2.0","id":${rawId ?? "null"},"error":${error}}`);
}

/** `resultJson` is JSON text. */
export function resultBody(rawId: string, resultJson: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":${resultJson}}`);
}
