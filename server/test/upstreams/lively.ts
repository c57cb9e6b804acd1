/**
 * A real MCP server, built with the official SDK, that acts independently: calls that wait to be released, streams that
 * are closed before the response, and unsolicited notifications.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
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
  /** Calls that have begun, and calls that were aborted. */
  readonly tally: { begun: number; aborted: number };
  /** Number of opened streams for notifications. */
  listeners(): number;
  /** Adds this tool and announces it. */
  addTool(name: string): void;
  /** Announces changed prompts although they have not changed. */
  announcePrompts(): void;
  /** Announces to subscribers that this resource has changed. */
  update(uri: string): void;
  /** The subscriptions of legacy sessions. */
  subscribed(): string[];
  /** Breaks every connection. */
  drop(): void;
  /** Releases all waiting calls and all future ones. */
  release(): void;
  close(): Promise<void>;
}

export async function startLivelyUpstream(eras: "both" | "legacy" | "modern"): Promise<LivelyUpstream> {
  const fixture: Fixture = {
    tally: { begun: 0, aborted: 0 },
    released: Promise.withResolvers<void>(),
    tools: [],
    legacy: new Map(),
  };
  const modern = createMcpHandler(() => createServer(fixture), { legacy: "reject" });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  let listeners = 0;
  const serve = async (request: Request) => {
    const answer = await serveEra(request);
    if (request.method === "GET" || request.headers.get("mcp-method") === "subscriptions/listen") listeners++;
    return answer;
  };
  const serveEra = async (request: Request) => {
    const legacy = eras === "legacy" || (eras === "both" && (await isLegacyRequest(request)));
    if (!legacy) return modern.fetch(request);
    return serveSession(request, sessions, () => {
      const server = createServer(fixture);
      fixture.legacy.set(server, letSubscribe(server));
      return server;
    });
  };
  const open = new Set<ServerResponse>();
  const http = await listenOnLoopback((request, response) => {
    open.add(response);
    response.on("close", () => open.delete(response));
    return pipeFetch(serve, request, response);
  });
  return {
    url: `${http.origin}/mcp`,
    tally: fixture.tally,
    listeners: () => listeners,
    addTool(name) {
      fixture.tools.push(name);
      for (const server of fixture.legacy.keys()) registerExtra(server, name);
      modern.notify.toolsChanged();
    },
    announcePrompts() {
      for (const server of fixture.legacy.keys()) server.sendPromptListChanged();
      modern.notify.promptsChanged();
    },
    update(uri) {
      for (const [{ server }, subscribed] of fixture.legacy)
        if (subscribed.has(uri)) void server.sendResourceUpdated({ uri }).catch(() => {});
      modern.notify.resourceUpdated(uri);
    },
    subscribed: () => [...fixture.legacy.values()].flatMap((uris) => [...uris]),
    drop: () => open.forEach((response) => void response.destroy()),
    release: () => fixture.released.resolve(),
    async close() {
      fixture.released.resolve();
      await Promise.all(sessions.values().map((transport) => transport.close()));
      await modern.close();
      await http.close();
    },
  };
}

interface Fixture {
  readonly tally: { begun: number; aborted: number };
  readonly released: PromiseWithResolvers<void>;
  /** The added tools. */
  readonly tools: string[];
  /** The servers of the legacy sessions, and their subscriptions. */
  readonly legacy: Map<McpServer, ReadonlySet<string>>;
}

function letSubscribe({ server }: McpServer): ReadonlySet<string> {
  const uris = new Set<string>();
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    if (params.uri.endsWith("secret")) throw new Error("not this one");
    uris.add(params.uri);
    return {};
  });
  return uris;
}

/** When it is registered later, the SDK announces that the tools have changed. */
function registerExtra(server: McpServer, name: string): void {
  server.registerTool(name, { description: "Added later" }, () => ({ content: [] }));
}

function createServer({ tally, released, tools }: Fixture): McpServer {
  const capabilities = { resources: { subscribe: true, listChanged: true } };
  const server = new McpServer({ name: "lively-upstream", version: "1.0.0" }, { capabilities });
  for (const name of ["thing", "secret"])
    server.registerResource(name, `lively:${name}`, {}, ({ href: uri }) => ({ contents: [{ uri, text: name }] }));
  for (const name of tools) registerExtra(server, name);
  server.registerPrompt("greet", { description: "A greeting" }, () => ({ messages: [] }));
  const done = { content: [{ type: "text" as const, text: "done" }] };
  const description = "Reports one step, waits to be released, reports another";
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
    { description: "Closes its stream, then waits to be released", inputSchema: z.object({}) },
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
