import { isObject } from "#openapi/json";
import { parseJsonc, placeholdersIn } from "#openapi/jsonc";

export interface FoundServer {
  readonly name: string;
  /** Undefined: it cannot be added, for the reason in `problem`. */
  readonly url: string | undefined;
  readonly transport: "http" | "sse" | "both";
  readonly problem: string | undefined;
  /** Names and values; they become the shared credential. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  /** Variables in the headers, whose values must be entered. */
  readonly variables: readonly Variable[];
}

export interface Variable {
  /** As in the file, such as `${input:token}`. */
  readonly placeholder: string;
  readonly label: string;
}

export type McpJson = { readonly servers: readonly FoundServer[] } | { readonly problem: string };

/**
 * The servers of a client's configuration: `mcpServers` of Claude, Cursor and others, `servers` of VS Code, the map alone,
 * or one entry alone.
 */
export function readMcpJson(text: string): McpJson {
  if (text.trim() === "") return { servers: [] };
  const value = parseJsonc(text);
  if (!isObject(value)) return { problem: "This is not valid JSON. Paste the whole file, from { to }." };
  const entries = entriesOf(value);
  if (entries.length === 0) return { problem: 'No servers found. They are expected under "mcpServers" or "servers".' };
  const inputs = inputLabels(value.inputs);
  return { servers: entries.map(([name, entry]) => readEntry(name, entry, inputs)) };
}

function entriesOf(value: Record<string, unknown>): [name: string, entry: Record<string, unknown>][] {
  const settings = isObject(value.mcp) ? value.mcp.servers : undefined;
  const named = [value.mcpServers, value.servers, settings, value.context_servers].find(isObject);
  if (named) return recordsOf(named);
  if (isEntry(value)) return [["", value]];
  return recordsOf(value).filter(([, entry]) => isEntry(entry));
}

function readEntry(name: string, entry: Record<string, unknown>, inputs: ReadonlyMap<string, string>): FoundServer {
  const address = [entry.url, entry.serverUrl, entry.httpUrl].find((each) => typeof each === "string");
  const url = address === undefined ? undefined : URL.parse(address);
  const headers = Object.entries(isObject(entry.headers) ? entry.headers : {}).map(
    ([header, value]) => [header, String(value)] as const,
  );
  const placeholders = placeholdersIn(headers.map(([, value]) => value).join("\n"));
  return {
    name: name === "" ? nameFromUrl(address ?? "") : name,
    url: url && /^https?:$/.test(url.protocol) ? url.href : undefined,
    transport: transportOf(entry.type ?? entry.transport),
    problem: problemOf(entry, url),
    headers,
    variables: placeholders.map((placeholder) => ({ placeholder, label: labelOf(placeholder, inputs) })),
  };
}

/** VS Code describes its inputs at the top of the file. */
function inputLabels(inputs: unknown): ReadonlyMap<string, string> {
  const described = Array.isArray(inputs) ? inputs.filter(isObject) : [];
  return new Map(described.map(({ id, description }) => [`input:${String(id)}`, String(description ?? id)]));
}

/** The part before `:-` names the variable; a default follows. */
function labelOf(placeholder: string, inputs: ReadonlyMap<string, string>): string {
  const name = placeholder.slice(2, -1).replace(/:-.*$/, "");
  return inputs.get(name) ?? name.replace(/^(?:input|env):/, "");
}

function problemOf(entry: Record<string, unknown>, url: URL | null | undefined): string | undefined {
  if (url && /^https?:$/.test(url.protocol)) return undefined;
  if (typeof entry.command === "string") {
    return "Runs a local command. An operator can add it to LOCAL_SERVERS_FILE.";
  }
  return "Has no URL that starts with http:// or https://.";
}

function transportOf(type: unknown): FoundServer["transport"] {
  if (type === "sse") return "sse";
  return type === "http" || type === "streamable-http" || type === "streamableHttp" ? "http" : "both";
}

/** The slug that the API derives from a name. */
export function slugFromName(name: string): string {
  const ascii = name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
  return ascii.replace(/^-+/, "").slice(0, MAX_SLUG).replace(/-+$/, "") || "server";
}

/** The wanted slug, or the first free one after it. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  for (let attempt = 1; ; attempt++) {
    const suffix = attempt === 1 ? "" : `-${attempt}`;
    const slug = wanted.slice(0, MAX_SLUG - suffix.length).replace(/-+$/, "") + suffix;
    if (!taken.has(slug)) return slug;
  }
}

const MAX_SLUG = 40;

/** "mcp.linear.app" → "Linear". */
export function nameFromUrl(address: string): string {
  const labels = URL.parse(address.trim())?.hostname.split(".") ?? [];
  const telling = labels.filter((label) => !/^(mcp|api|www|app|server|\d+)$/.test(label));
  const [first = ""] = telling.length > 1 ? telling.slice(-2) : telling;
  return first.charAt(0).toUpperCase() + first.slice(1);
}

function isEntry(value: Record<string, unknown>): boolean {
  return ["url", "serverUrl", "httpUrl", "command"].some((key) => typeof value[key] === "string");
}

function recordsOf(value: Record<string, unknown>): [string, Record<string, unknown>][] {
  return Object.entries(value).flatMap(([name, entry]) => (isObject(entry) ? [[name, entry]] : []));
}
