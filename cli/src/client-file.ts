import { isObject } from "#openapi/json";
import { badUsage } from "./failure.ts";

/** One server of an MCP client's configuration file: an upstream, or the reason why Gatehouse cannot use it. */
export interface ConfiguredServer {
  readonly name: string;
  readonly upstream?: { readonly url: string; readonly type?: "http" | "sse" };
  readonly problem?: string;
  /** The file has headers, which Gatehouse does not store. */
  readonly hasHeaders: boolean;
}

/** Claude and Cursor call the list `mcpServers`; VS Code calls it `servers`, in its settings below `mcp`. */
export function readClientFile(text: string): ConfiguredServer[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw badUsage("The file is not valid JSON. Remove comments and trailing commas.");
  }
  const top = isObject(file) ? file : {};
  const settings = isObject(top.mcp) ? top.mcp : {};
  const servers = [top.mcpServers, top.servers, settings.servers].find(isObject);
  if (!servers) throw badUsage('The file has no "mcpServers" (Claude, Cursor) or "servers" (VS Code)');
  return Object.entries(servers).map(([name, server]) => readServer(name, isObject(server) ? server : {}));
}

function readServer(
  name: string,
  { type, url, command, headers }: Readonly<Record<string, unknown>>,
): ConfiguredServer {
  const hasHeaders = isObject(headers) && Object.keys(headers).length > 0;
  if (typeof url !== "string") {
    const problem =
      command === undefined ? "it has no URL" : "it runs a local command; an operator can add it to LOCAL_SERVERS_FILE";
    return { name, problem, hasHeaders };
  }
  if (url.includes("${")) return { name, problem: "its URL contains a variable", hasHeaders };
  if (type === "sse") return { name, upstream: { url, type }, hasHeaders };
  if (type === undefined) return { name, upstream: { url }, hasHeaders };
  if (type === "http" || type === "streamable-http") return { name, upstream: { url, type: "http" }, hasHeaders };
  return { name, problem: "its type is not http or sse", hasHeaders };
}
