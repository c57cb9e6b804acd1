import { parseVerbatim, stringifyExact } from "#openapi/json";
import type { Call } from "./call-labels.ts";

/** The request as somebody would make it by hand. Their key is theirs to fill in: it is never in the log. */
export function asCurl(gatewayUrl: string, body: unknown): string {
  return [
    `curl ${quoted(`${gatewayUrl.replace(/\/+$/, "")}/mcp`)}`,
    `-H "Authorization: Bearer $GATEHOUSE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H 'Accept: application/json, text/event-stream'`,
    `-d ${quoted(stringifyExact(body) ?? "")}`,
  ].join(" \\\n  ");
}

/** For POSIX shells: nothing in it is taken for anything but itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

type Named = Pick<Call, "method" | "server_slug" | "tool"> & { readonly gateway_name?: string | null };

/** How the tool is called at the gateway; undefined: it was no call of a tool that is known. */
export function toolName({ method, server_slug: slug, tool, gateway_name: name }: Named): string | undefined {
  if (method !== "tools/call" || slug === null || tool === null) return undefined;
  // What the server calls it is understood too, unless another tool has that name.
  return name ?? `${slug}__${tool}`;
}

/** What the call must have been like, as far as the log knows without what it carried. */
export function requestLike(call: Named): unknown {
  const name = toolName(call);
  return { jsonrpc: "2.0", id: 1, method: call.method, params: name === undefined ? {} : { name, arguments: {} } };
}

interface Kept {
  /** As it can be sent to the gateway's own address, wherever it was sent. */
  readonly body: unknown;
  readonly arguments: unknown;
}

/** The request as it was kept; undefined where it was cut, too large, or is no JSON for another reason. */
export function keptRequest(text: string | null, call: Named): Kept | undefined {
  if (text === null) return undefined;
  try {
    // Whatever stands in it: it is looked at, and written again.
    const body = parseVerbatim(text) as { readonly params?: { readonly arguments?: unknown } } | null;
    const name = toolName(call);
    // At an address for one server, names have no prefix.
    const named = name === undefined ? body : { ...body, params: { ...body?.params, name } };
    return { body: named, arguments: body?.params?.arguments };
  } catch {
    return undefined;
  }
}
