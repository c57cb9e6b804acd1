/**
 * A real MCP server on loopback, built with the official SDK. Slower than the raw upstream, but it verifies that
 * requests are correct.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { listenOnLoopback, readBody } from "./loopback.ts";

export interface EchoUpstreamOptions {
  readonly eras?: "both" | "modern" | "legacy";
  /** Names of tools that return their arguments; `echo` by default. `progress` and `fail` always exist. */
  readonly tools?: readonly string[];
  /** Answers with plain JSON where the SDK would stream. */
  readonly json?: boolean;
  /** Uses sessions in the legacy era. */
  readonly sessionful?: boolean;
  /** Milliseconds before the n-th tool result (from 1). */
  readonly delayMs?: (n: number) => number;
  /** Adds features to each server. */
  readonly extend?: (server: McpServer) => void;
}

export interface EchoUpstream {
  readonly url: string;
  readonly origin: string;
  /** Number of executed tool calls. */
  executions(): number;
  /** Number of aborted tool calls. */
  aborts(): number;
  /** Number of open legacy sessions. */
  sessions(): number;
  /** Number of open standalone streams in a legacy session. */
  streams(sessionId: string): number;
  /** Number of such streams opened so far. */
  streamsOpened(sessionId: string): number;
  /** Number of requests for such a stream that were refused because the session had one. */
  streamsRefused(sessionId: string): number;
  /** Drops every legacy session, like a restart. */
  forgetSessions(): Promise<void>;
  close(): Promise<void>;
}

type Fetch = (request: Request) => Promise<Response>;

export async function startEchoUpstream(options: EchoUpstreamOptions = {}): Promise<EchoUpstream> {
  const tally = { executions: 0, aborts: 0 };
  const factory = () => {
    const server = createEchoServer(options, tally);
    options.extend?.(server);
    return server;
  };
  const modern = createMcpHandler(factory, { legacy: "reject", responseMode: options.json ? "json" : "auto" });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const legacy: Fetch = options.sessionful
    ? (request) => serveSession(request, sessions, factory, options.json === true)
    : legacyStatelessFallback(factory);
  const eras = options.eras ?? "both";
  const streams = new Map<string, number>();
  const streamsOpened = new Map<string, number>();
  const streamsRefused = new Map<string, number>();
  const openRequests = new Set<Request>();

  async function serve(request: Request): Promise<Response> {
    const answer = await serveEra(request);
    const session = request.headers.get("mcp-session-id");
    if (request.method === "GET" && answer.status === 409 && session !== null)
      streamsRefused.set(session, (streamsRefused.get(session) ?? 0) + 1);
    if (request.method === "GET" && answer.ok && session !== null && !request.signal.aborted) {
      const add = (count: number) => streams.set(session, (streams.get(session) ?? 0) + count);
      add(1);
      streamsOpened.set(session, (streamsOpened.get(session) ?? 0) + 1);
      // The signal of a request that is collected never aborts: its controller is only referenced weakly.
      openRequests.add(request);
      const ended = () => {
        openRequests.delete(request);
        add(-1);
      };
      request.signal.addEventListener("abort", ended, { once: true });
    }
    return answer;
  }
  async function serveEra(request: Request): Promise<Response> {
    if (eras === "modern") return modern.fetch(request);
    if (eras === "legacy" || (await isLegacyRequest(request))) return legacy(request);
    return modern.fetch(request);
  }
  async function forgetSessions(): Promise<void> {
    const open = [...sessions.values()];
    sessions.clear();
    await Promise.all(open.map((transport) => transport.close()));
  }

  const server = await listenOnLoopback((request, response) => pipeFetch(serve, request, response));
  return {
    url: `${server.origin}/mcp`,
    origin: server.origin,
    executions: () => tally.executions,
    aborts: () => tally.aborts,
    sessions: () => sessions.size,
    streams: (sessionId) => streams.get(sessionId) ?? 0,
    streamsOpened: (sessionId) => streamsOpened.get(sessionId) ?? 0,
    streamsRefused: (sessionId) => streamsRefused.get(sessionId) ?? 0,
    forgetSessions,
    async close() {
      await forgetSessions();
      await modern.close();
      await server.close();
    },
  };
}

export interface Tally {
  executions: number;
  aborts: number;
}

export function createEchoServer(options: Pick<EchoUpstreamOptions, "tools" | "delayMs">, tally: Tally): McpServer {
  const server = new McpServer({ name: "echo-upstream", version: "1.0.0" });
  const anyArguments = z.looseObject({});
  for (const name of options.tools ?? ["echo"]) {
    const config = { description: `Returns its arguments (${name})`, inputSchema: anyArguments };
    server.registerTool(name, config, async (given, context) => {
      context.mcpReq.signal.addEventListener("abort", () => tally.aborts++, { once: true });
      const execution = ++tally.executions;
      await delay(options.delayMs?.(execution) ?? 0);
      return { content: [{ type: "text", text: JSON.stringify(given) }], structuredContent: given };
    });
  }
  const stepping = { description: "Reports two steps of progress", inputSchema: anyArguments };
  server.registerTool("progress", stepping, async (_given, context) => {
    tally.executions++;
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [1, 2]) {
      await context.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 2 } });
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("fail", { description: "Always fails", inputSchema: anyArguments }, () => {
    tally.executions++;
    throw new Error("this tool always fails");
  });
  return server;
}

/** The sessionful wiring of legacy servers: one transport and server per session, 404 for an unknown one. */
async function serveSession(
  request: Request,
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  factory: () => McpServer,
  json: boolean,
): Promise<Response> {
  const given = request.headers.get("mcp-session-id");
  if (given !== null) {
    const known = sessions.get(given);
    if (known) return known.handleRequest(request);
    const error = { code: -32001, message: "Session not found" };
    return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: json,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await factory().connect(transport);
  return transport.handleRequest(request);
}

export async function pipeFetch(serve: Fetch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const aborted = new AbortController();
  response.on("close", () => aborted.abort());
  try {
    const answer = await serve(await toWebRequest(request, aborted.signal));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (!answer.body) return void response.end();
    // The DOM's ReadableStream and node's are one class at run time; only their declarations differ.
    const body = Readable.fromWeb(answer.body as import("node:stream/web").ReadableStream);
    // Notifies the producer that the body is no longer read: only then does the SDK accept another stream for the
    // session.
    response.on("close", () => body.destroy());
    body.on("error", () => {}).pipe(response);
  } catch {
    response.destroy();
  }
}

async function toWebRequest(request: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const method = request.method ?? "GET";
  const body = await readBody(request);
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  return new Request(url, { method, headers, signal, ...(method === "POST" ? { body: new Uint8Array(body) } : {}) });
}

function delay(ms: number): Promise<void> {
  // A pending response must not keep the test's process alive.
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms).unref()) : Promise.resolve();
}
