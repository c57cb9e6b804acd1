/** The responses of a correct MCP server of either era, as latin1 text of the exact bytes. */
import { MCP_2024_11_05, MCP_2025_03_26, MCP_2025_06_18, MCP_2025_11_25, MCP_2026_07_28 } from "../gateway-kit.ts";
import { objectMembers, type RawMembers, rawMembers, rawString } from "./raw-json.ts";
import type { SeenRequest } from "./seen-request.ts";

const MODERN = MCP_2026_07_28;
const LEGACY = [MCP_2025_11_25, MCP_2025_06_18, MCP_2025_03_26, MCP_2024_11_05];
const SERVER_INFO = '{"name":"raw-upstream","version":"1.0.0"}';

/** A tool or prompt as listed; an entry can be raw JSON text, which is listed verbatim. */
export type RawTool = { readonly name: string; readonly [member: string]: unknown } | string;

export type Eras = "both" | "modern" | "legacy";

/** What the upstream offers. A missing list is not offered. */
export interface RawLists {
  readonly tools: readonly RawTool[];
  readonly prompts: readonly RawTool[] | undefined;
  readonly resources: RawResources | undefined;
  readonly completes: boolean;
  readonly instructions?: string | undefined;
}

/** Reading returns the requested URI, for listed resources and those under `readable`. */
export interface RawResources {
  readonly list: readonly object[];
  /** Undefined if the method is unknown. */
  readonly templates?: readonly object[];
  readonly readable?: RegExp;
}

export interface Paging {
  /** Items per page of a list; all by default. */
  readonly pageSize?: number;
  /** Always returns the same cursor, so that a careless client pages forever. */
  readonly repeatCursor?: boolean;
}

export const DEFAULT_TOOLS: readonly RawTool[] = [
  { name: "echo", description: "Returns its arguments", inputSchema: { type: "object" } },
  { name: "headers", description: "Returns the received headers", inputSchema: { type: "object" } },
];

const NAMED_METHODS = new Set(["tools/call", "prompts/get"]);

export interface RefusedRequest {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** The error of a strict server before it handles the method; undefined if there is none. */
export function refuse(
  seen: SeenRequest,
  eras: Eras,
  sessionful: boolean,
  sessions: ReadonlySet<string>,
): RefusedRequest | undefined {
  const version = seen.headers["mcp-protocol-version"];
  if (seen.era === "modern" && eras !== "legacy") {
    if (version !== MODERN) return { status: 400, code: -32020, message: "MCP-Protocol-Version must equal the body" };
    if (seen.headers["mcp-method"] !== seen.method)
      return { status: 400, code: -32020, message: "Mcp-Method mismatch" };
    if (seen.method === "resources/read" && decodeSentinel(seen.headers["mcp-name"]) !== seen.uri) {
      return { status: 400, code: -32020, message: "Mcp-Name mismatch" };
    }
    if (NAMED_METHODS.has(seen.method) && decodeSentinel(seen.headers["mcp-name"]) !== seen.tool) {
      return { status: 400, code: -32020, message: "Mcp-Name mismatch" };
    }
    return undefined;
  }
  if (eras === "modern") return { status: 400, code: -32022, message: "Unsupported protocol version" };
  if (typeof version === "string" && !LEGACY.includes(version)) {
    return { status: 400, code: -32000, message: "Bad Request: Unsupported protocol version" };
  }
  if (!sessionful || seen.method === "initialize") return undefined;
  const session = seen.headers["mcp-session-id"];
  if (session === undefined) return { status: 400, code: -32000, message: "Bad Request: Mcp-Session-Id is required" };
  if (!sessions.has(String(session))) return { status: 404, code: -32001, message: "Session not found" };
  return undefined;
}

function decodeSentinel(value: string | string[] | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(value))?.[1];
  return encoded === undefined ? value?.toString() : Buffer.from(encoded, "base64").toString("utf8");
}

export function respond(seen: SeenRequest, lists: RawLists, paging: Paging): { status: number; body: string } {
  const id = seen.id ?? "null";
  const params = objectMembers(rawMembers(seen.body.toString("latin1")).get("params"));
  const ok = (members: string) => ({ status: 200, body: resultBody(id, seen.era, members) });
  const page = (member: string, items: readonly (RawTool | object)[]) =>
    ok(listPage(member, items, rawString(params.get("cursor")), paging));
  const capabilities = `"capabilities":${JSON.stringify({
    tools: {},
    ...(lists.prompts && { prompts: {} }),
    ...(lists.resources && { resources: {} }),
    ...(lists.completes && { completions: {} }),
  })}`;
  const instructions = lists.instructions === undefined ? "" : `,"instructions":${JSON.stringify(lists.instructions)}`;
  switch (seen.method) {
    case "initialize": {
      const wanted = rawString(params.get("protocolVersion")) ?? "";
      const version = LEGACY.includes(wanted) ? wanted : LEGACY[0];
      return ok(`"protocolVersion":"${version}",${capabilities},"serverInfo":${SERVER_INFO}${instructions}`);
    }
    case "server/discover":
      if (seen.era === "legacy") break;
      return ok(`"supportedVersions":["${MODERN}"],${capabilities},"ttlMs":0,"cacheScope":"public"${instructions}`);
    case "ping":
      return ok("");
    case "tools/list":
      return page("tools", lists.tools);
    case "tools/call":
      return callTool(seen, params, lists.tools, ok);
    case "prompts/list":
      if (!lists.prompts) break;
      return page("prompts", lists.prompts);
    case "prompts/get":
      if (!lists.prompts) break;
      return getPrompt(seen, params, lists.prompts, ok);
    case "completion/complete":
      if (!lists.completes) break;
      return complete(params, ok);
    case "resources/list":
      if (!lists.resources) break;
      return page("resources", lists.resources.list);
    case "resources/templates/list":
      if (!lists.resources?.templates) break;
      return page("resourceTemplates", lists.resources.templates);
    case "resources/read":
      if (!lists.resources) break;
      return readResource(seen, rawString(params.get("uri")) ?? "", lists.resources, ok);
  }
  return { status: seen.era === "modern" ? 404 : 200, body: errorBody(id, -32601, "Method not found") };
}

/** The message is the prompt's name; the arguments are returned unchanged next to it. */
function getPrompt(
  seen: SeenRequest,
  params: RawMembers,
  prompts: readonly RawTool[],
  ok: (members: string) => { status: number; body: string },
): { status: number; body: string } {
  if (!prompts.some((prompt) => toolName(prompt) === seen.tool)) {
    return { status: 200, body: errorBody(seen.id ?? "null", -32602, "Prompt not found") };
  }
  const message = `{"role":"user","content":{"type":"text","text":${params.get("name")}}}`;
  return ok(`"messages":[${message}],"given":${params.get("arguments") ?? "null"}`);
}

/** Completes with the name or URI that was referred to. */
function complete(
  params: RawMembers,
  ok: (members: string) => { status: number; body: string },
): { status: number; body: string } {
  const ref = objectMembers(params.get("ref"));
  return ok(`"completion":{"values":[${ref.get("name") ?? ref.get("uri")}],"hasMore":false}`);
}

function readResource(
  seen: SeenRequest,
  uri: string,
  { list, readable }: RawResources,
  ok: (members: string) => { status: number; body: string },
): { status: number; body: string } {
  if (!list.some((resource) => "uri" in resource && resource.uri === uri) && !readable?.test(uri)) {
    const code = seen.era === "modern" ? -32602 : -32002;
    return { status: 200, body: errorBody(seen.id ?? "null", code, "Resource not found") };
  }
  const contents = Buffer.from(JSON.stringify([{ uri, text: `text of ${uri}` }])).toString("latin1");
  return ok(`"contents":${contents}${seen.era === "modern" ? ',"ttlMs":5,"cacheScope":"public"' : ""}`);
}

function callTool(
  seen: SeenRequest,
  params: RawMembers,
  tools: readonly RawTool[],
  ok: (members: string) => { status: number; body: string },
): { status: number; body: string } {
  if (!tools.some((tool) => toolName(tool) === seen.tool)) {
    return { status: 200, body: errorBody(seen.id ?? "null", -32602, "Tool not found") };
  }
  const structured =
    seen.tool === "headers"
      ? Buffer.from(JSON.stringify(seen.headers)).toString("latin1")
      : (params.get("arguments") ?? "{}");
  return ok(`"content":[{"type":"text","text":"echo"}],"structuredContent":${structured}`);
}

function listPage(
  member: string,
  tools: readonly (RawTool | object)[],
  cursor: string | undefined,
  paging: Paging,
): string {
  const start = cursor === undefined || paging.repeatCursor ? 0 : Number(cursor);
  const end = start + (paging.pageSize ?? tools.length);
  const page = tools.slice(start, end).map((tool) => (typeof tool === "string" ? tool : JSON.stringify(tool)));
  const next = paging.repeatCursor ? "again" : end < tools.length ? String(end) : undefined;
  const listed = Buffer.from(`[${page.join(",")}]`).toString("latin1");
  return `"${member}":${listed},"ttlMs":0,"cacheScope":"public"${next === undefined ? "" : `,"nextCursor":"${next}"`}`;
}

function toolName(tool: RawTool): string | undefined {
  return typeof tool === "string" ? rawString(rawMembers(Buffer.from(tool).toString("latin1")).get("name")) : tool.name;
}

function resultBody(id: string, era: "modern" | "legacy", members: string): string {
  const modern = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${SERVER_INFO}}`;
  const parts = [members, era === "modern" ? modern : ""].filter((part) => part !== "");
  return `{"jsonrpc":"2.0","id":${id},"result":{${parts.join(",")}}}`;
}

export function errorBody(id: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`;
}
