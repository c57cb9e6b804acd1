import { isObject } from "#openapi/json";
export interface FoundServer {
  readonly name: string;
  /** Undefined: it cannot be added, and `because` says why. */
  readonly url: string | undefined;
  readonly transport: "http" | "sse" | "both";
  readonly authType: "none" | "proxy-api-key";
  readonly because: string | undefined;
  /** The header that carried a key, where that is not the usual one. */
  readonly headerName: string | undefined;
}

export type McpJson = { readonly servers: readonly FoundServer[] } | { readonly fault: string };

/**
 * The servers of a client's configuration: `mcpServers` of Claude, Cursor and others, `servers` of VS Code, the map alone,
 * or one entry alone. Keys in it are never taken over: each user brings their own.
 */
export function readMcpJson(text: string): McpJson {
  if (text.trim() === "") return { servers: [] };
  const value = parseLoosely(text);
  if (!isObject(value)) return { fault: "This is not JSON. Paste the whole file, from { to }." };
  const entries = entriesOf(value);
  if (entries.length === 0) return { fault: 'There are no servers in it. They stand under "mcpServers" or "servers".' };
  return { servers: entries.map(([name, entry]) => readEntry(name, entry)) };
}

function entriesOf(value: Record<string, unknown>): [name: string, entry: Record<string, unknown>][] {
  const named = [value.mcpServers, value.servers, value.context_servers].find(isObject);
  if (named) return recordsOf(named);
  if (isEntry(value)) return [["", value]];
  return recordsOf(value).filter(([, entry]) => isEntry(entry));
}

function readEntry(name: string, entry: Record<string, unknown>): FoundServer {
  const address = [entry.url, entry.serverUrl, entry.httpUrl].find((each) => typeof each === "string");
  const url = address === undefined ? undefined : URL.parse(address);
  const key = Object.keys(isObject(entry.headers) ? entry.headers : {}).find((header) => KEY_HEADER.test(header));
  return {
    name: name === "" ? nameFromUrl(address ?? "") : name,
    url: url && /^https?:$/.test(url.protocol) ? url.href : undefined,
    transport: transportOf(entry.type ?? entry.transport),
    authType: key === undefined ? "none" : "proxy-api-key",
    because: faultOf(entry, url),
    headerName: key === undefined || key.toLowerCase() === "authorization" ? undefined : key,
  };
}

const KEY_HEADER = /^(authorization|.*(api|access|auth)[-_]?(key|token).*)$/i;

function faultOf(entry: Record<string, unknown>, url: URL | null | undefined): string | undefined {
  if (url && /^https?:$/.test(url.protocol)) return undefined;
  if (typeof entry.command === "string") {
    return "It runs a command. Such servers are set up by whoever runs Gatehouse, in LOCAL_SERVERS_FILE.";
  }
  return "It has no address that begins with http:// or https://.";
}

function transportOf(type: unknown): FoundServer["transport"] {
  if (type === "sse") return "sse";
  return type === "http" || type === "streamable-http" || type === "streamableHttp" ? "http" : "both";
}

/** "mcp.linear.app" → "Linear": the part of a host that somebody would say. */
export function nameFromUrl(address: string): string {
  const labels = URL.parse(address.trim())?.hostname.split(".") ?? [];
  const telling = labels.filter((label) => !/^(mcp|api|www|app|server|\d+)$/.test(label));
  const [first = ""] = telling.length > 1 ? telling.slice(-2) : telling;
  return first.charAt(0).toUpperCase() + first.slice(1);
}

/** As people keep such files: with comments and commas too many. Undefined: no JSON even so. */
function parseLoosely(text: string): unknown {
  const strict = text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? "")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? "");
  try {
    return JSON.parse(strict);
  } catch {
    return undefined;
  }
}

function isEntry(value: Record<string, unknown>): boolean {
  return ["url", "serverUrl", "httpUrl", "command"].some((key) => typeof value[key] === "string");
}

function recordsOf(value: Record<string, unknown>): [string, Record<string, unknown>][] {
  return Object.entries(value).flatMap(([name, entry]) => (isObject(entry) ? [[name, entry]] : []));
}
