/** Headers of requests to upstreams. Headers of callers are never copied, except `Mcp-Param-*` (GW-15). */
import { encodeMirrored } from "../../envelope/mirrored-header.ts";

// No content encoding: responses are never decoded (GW-9).
const OURS = ["accept-encoding", "identity", "user-agent", "gatehouse"];
const COMMON = ["content-type", "application/json", "accept", "application/json, text/event-stream", ...OURS];

/** Built once per upstream; `modernRequestHeaders` adds the headers of each request. */
export function modernHeaders(version: string): readonly string[] {
  return [...COMMON, "mcp-protocol-version", version];
}

/** Built once per upstream session. */
export function legacyHeaders(version: string | undefined, sessionId: string | undefined): readonly string[] {
  const headers = [...COMMON];
  if (version !== undefined) headers.push("mcp-protocol-version", version);
  if (sessionId !== undefined) headers.push("mcp-session-id", sessionId);
  return headers;
}

/** For the stream of the HTTP+SSE transport, which has no version header. */
export function streamHeaders(extra: readonly string[]): readonly string[] {
  return ["accept", "text/event-stream", ...OURS, ...extra];
}

/** For messages that are posted to that session; built once per stream. */
export function postHeaders(extra: readonly string[]): readonly string[] {
  return [...COMMON, ...extra];
}

/** The headers of one modern request. */
export function modernRequestHeaders(
  method: string,
  name: string | undefined,
  paramHeaders: readonly string[],
): string[] {
  const headers = ["mcp-method", method];
  if (name !== undefined) headers.push("mcp-name", encodeMirrored(name));
  for (let i = 0; i + 1 < paramHeaders.length; i += 2) {
    const [header = "", value = ""] = [paramHeaders[i], paramHeaders[i + 1]];
    if (PARAM_HEADER.test(header) && !FORBIDDEN_IN_VALUE.test(value)) headers.push(header, value);
  }
  return headers;
}

const PARAM_HEADER = /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const FORBIDDEN_IN_VALUE = /[\x00-\x08\x0a-\x1f\x7f]/;
