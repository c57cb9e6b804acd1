import { isObject } from "#openapi/json";
import { parseJsonc, placeholdersIn } from "#openapi/jsonc";
import { badUsage } from "./failure.ts";

/** One server of an MCP client's configuration file: an upstream, or the reason why Gatehouse cannot use it. */
export interface ConfiguredServer {
  readonly name: string;
  readonly upstream?: Upstream;
  readonly problem?: string;
  /** Headers whose values contain variables, which only the MCP client can resolve. */
  readonly unresolvedHeaders: readonly string[];
}

interface Upstream {
  readonly url: string;
  readonly type?: "http" | "sse";
  readonly headers?: Readonly<Record<string, string>>;
}

/** Claude and Cursor call the list `mcpServers`; VS Code calls it `servers`, in its settings below `mcp`. */
export function readClientFile(text: string): ConfiguredServer[] {
  const file = parseJsonc(text);
  if (file === undefined) throw badUsage("The file is not valid JSON");
  const top = isObject(file) ? file : {};
  const settings = isObject(top.mcp) ? top.mcp : {};
  const servers = [top.mcpServers, top.servers, settings.servers].find(isObject);
  if (!servers) throw badUsage('The file has no "mcpServers" (Claude, Cursor) or "servers" (VS Code)');
  return Object.entries(servers).map(([name, server]) => readServer(name, isObject(server) ? server : {}));
}

function readServer(name: string, entry: Readonly<Record<string, unknown>>): ConfiguredServer {
  const all = Object.entries(isObject(entry.headers) ? entry.headers : {}).map(
    ([header, value]) => [header, String(value)] as const,
  );
  const unresolvedHeaders = all.flatMap(([header, value]) => (placeholdersIn(value).length > 0 ? [header] : []));
  const headers = all.filter(([header]) => !unresolvedHeaders.includes(header));
  const upstream = readUpstream(entry);
  if (typeof upstream === "string") return { name, problem: upstream, unresolvedHeaders };
  const withHeaders = headers.length === 0 ? upstream : { ...upstream, headers: Object.fromEntries(headers) };
  return { name, upstream: withHeaders, unresolvedHeaders };
}

/** A string is the reason why it cannot be used. */
function readUpstream({ type, url, command }: Readonly<Record<string, unknown>>): Upstream | string {
  if (typeof url !== "string") {
    return command === undefined
      ? "it has no URL"
      : "it runs a local command; an operator can add it to LOCAL_SERVERS_FILE";
  }
  if (url.includes("${")) return "its URL contains a variable";
  if (type === "sse") return { url, type };
  if (type === undefined) return { url };
  return type === "http" || type === "streamable-http" ? { url, type: "http" } : "its type is not http or sse";
}
