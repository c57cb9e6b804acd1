import { parseVerbatim, stringifyExact } from "#openapi/json";
import type { Call } from "./call-labels.ts";

/** The request as a curl command. The user fills in the access key, which is never logged. */
export function asCurl(gatewayUrl: string, body: unknown): string {
  return [
    `curl ${quoted(`${gatewayUrl.replace(/\/+$/, "")}/mcp`)}`,
    `-H "Authorization: Bearer $GATEHOUSE_ACCESS_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H 'Accept: application/json, text/event-stream'`,
    `-d ${quoted(stringifyExact(body) ?? "")}`,
  ].join(" \\\n  ");
}

/** Quotes a text for POSIX shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

type Named = Pick<Call, "method" | "server_slug" | "tool"> & { readonly gateway_name?: string | null };

/** The gateway name of the tool. Undefined: not a call of a known tool. */
export function toolName({ method, server_slug: slug, tool, gateway_name: name }: Named): string | undefined {
  if (method !== "tools/call" || slug === null || tool === null) return undefined;
  // The gateway also accepts this name, unless another tool has it.
  return name ?? `${slug}__${tool}`;
}

/** The request as far as the log knows it without a stored payload. */
export function requestLike(call: Named): unknown {
  const name = toolName(call);
  return { jsonrpc: "2.0", id: 1, method: call.method, params: name === undefined ? {} : { name, arguments: {} } };
}

interface Kept {
  /** With the gateway name of the tool, for `/mcp`. */
  readonly body: unknown;
  readonly arguments: unknown;
}

/** The stored request. Undefined if it was truncated, too large, or is not JSON. */
export function keptRequest(text: string | null, call: Named): Kept | undefined {
  if (text === null) return undefined;
  try {
    // Its members can have any type; they are only read and serialized again.
    const body = parseVerbatim(text) as { readonly params?: { readonly arguments?: unknown } } | null;
    const name = toolName(call);
    // On a server's own endpoint, tool names have no prefix.
    const named = name === undefined ? body : { ...body, params: { ...body?.params, name } };
    return { body: named, arguments: body?.params?.arguments };
  } catch {
    return undefined;
  }
}
