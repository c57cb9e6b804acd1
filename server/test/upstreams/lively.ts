/**
 * A real MCP server, built with the official SDK, that does things in its own time: calls that wait until they are let
 * go, streams that are closed before the answer, and news without being asked.
 */
import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  type EventStore,
  isLegacyRequest,
  type JSONRPCMessage,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { pipeFetch } from "./echo.ts";
import { listenOnLoopback } from "./loopback.ts";

export interface LivelyUpstream {
  readonly url: string;
  /** Calls that have begun, and those that were told to stop. */
  readonly tally: { begun: number; aborted: number };
  /** HTTP requests by method. */
  count(httpMethod: string): number;
  /** Lets all calls that wait go on, and those to come pass. */
  release(): void;
  close(): Promise<void>;
}

export async function startLivelyUpstream(eras: "both" | "legacy"): Promise<LivelyUpstream> {
  const world = { tally: { begun: 0, aborted: 0 }, released: Promise.withResolvers<void>() };
  const modern = createMcpHandler(() => createServer(world), { legacy: "reject" });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const counts = new Map<string, number>();
  const serve = async (request: Request) => {
    const legacy = eras === "legacy" || (await isLegacyRequest(request));
    return legacy ? serveSession(request, sessions, () => createServer(world)) : modern.fetch(request);
  };
  const http = await listenOnLoopback((request, response) => {
    counts.set(request.method ?? "", (counts.get(request.method ?? "") ?? 0) + 1);
    return pipeFetch(serve, request, response);
  });
  return {
    url: `${http.origin}/mcp`,
    tally: world.tally,
    count: (httpMethod) => counts.get(httpMethod) ?? 0,
    release: () => world.released.resolve(),
    async close() {
      world.released.resolve();
      await Promise.all(sessions.values().map((transport) => transport.close()));
      await modern.close();
      await http.close();
    },
  };
}

interface World {
  readonly tally: { begun: number; aborted: number };
  readonly released: PromiseWithResolvers<void>;
}

function createServer({ tally, released }: World): McpServer {
  const server = new McpServer({ name: "lively-upstream", version: "1.0.0" });
  const done = { content: [{ type: "text" as const, text: "done" }] };
  const description = "Reports one step, waits to be let go, reports another";
  server.registerTool("steps", { description, inputSchema: z.object({}) }, async (_given, { mcpReq }) => {
    tally.begun++;
    mcpReq.signal.addEventListener("abort", () => tally.aborted++, { once: true });
    const token = mcpReq._meta?.progressToken ?? "none";
    const step = (progress: number) =>
      mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress } });
    await step(1);
    await released.promise;
    await step(2);
    return done;
  });
  server.registerTool(
    "rest",
    { description: "Closes its stream, then waits to be let go", inputSchema: z.object({}) },
    async (_given, context) => {
      tally.begun++;
      context.http?.closeSSE?.();
      await released.promise;
      return done;
    },
  );
  return server;
}

async function serveSession(
  request: Request,
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  factory: () => McpServer,
): Promise<Response> {
  const given = request.headers.get("mcp-session-id");
  const known = sessions.get(given ?? "");
  if (known) return known.handleRequest(request);
  if (given !== null)
    return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32001, message: "Gone" } }, { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: memoryOfEvents(),
    retryInterval: 10,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await factory().connect(transport);
  return transport.handleRequest(request);
}

function memoryOfEvents(): EventStore {
  const events: { readonly streamId: string; readonly message: JSONRPCMessage }[] = [];
  return {
    storeEvent: async (streamId, message) => String(events.push({ streamId, message }) - 1),
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = events[Number(lastEventId)]?.streamId ?? "";
      for (const [at, event] of events.entries())
        if (at > Number(lastEventId) && event.streamId === streamId) await send(String(at), event.message);
      return streamId;
    },
  };
}
