import type { Call } from "./words.ts";

/** The request as somebody would make it by hand. Their key is theirs to fill in: it is never in the log. */
export function asCurl(gatewayUrl: string, body: unknown): string {
  return [
    `curl ${quoted(`${gatewayUrl.replace(/\/+$/, "")}/mcp`)}`,
    `-H "Authorization: Bearer $GATEHOUSE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H 'Accept: application/json, text/event-stream'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ");
}

/** For POSIX shells: nothing in it is taken for anything but itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What the call must have been like, as far as the log knows without what it carried. */
export function requestLike(call: Pick<Call, "method" | "server_slug" | "tool">): unknown {
  const { method, server_slug: slug, tool } = call;
  const isToolCall = method === "tools/call" && slug !== null && tool !== null;
  const params = isToolCall ? { name: `${slug}__${tool}`, arguments: {} } : {};
  return { jsonrpc: "2.0", id: 1, method, params };
}

/** The request as it was kept; undefined where it was cut, too large, or is no JSON for another reason. */
export function keptRequest(text: string | null): { readonly body: unknown; readonly arguments: unknown } | undefined {
  if (text === null) return undefined;
  try {
    const body: { params?: { arguments?: unknown } } | null = JSON.parse(text);
    return { body, arguments: body?.params?.arguments };
  } catch {
    return undefined;
  }
}
