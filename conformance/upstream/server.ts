/**
 * An MCP server with everything that the conformance suite requires, in both eras at one URL. Modern requests are
 * independent; legacy requests have sessions, so that the server can send requests to its callers.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { addAskingTools } from "./asking-tools.ts";
import { createEventStore } from "./event-store.ts";
import { addQuestions, requestStates } from "./input-required.ts";
import { addPrompts, addResources } from "./prompts-and-resources.ts";
import { saying } from "./samples.ts";
import { addTools } from "./tools.ts";

export interface Upstream {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The gateway waits this long before it resumes a stream, and the suite, which reconnects immediately, waits 5 s for the
 * response.
 */
const RETRY_MS = 1_000;

export async function startUpstream(): Promise<Upstream> {
  const modern = createMcpHandler(() => createFullServer(modern.notify), { legacy: "reject" });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const fetch = async (request: Request): Promise<Response> => {
    const refusal =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refusal) return refusal;
    return (await isLegacyRequest(request)) ? answerLegacy(request, sessions, modern.notify) : modern.fetch(request);
  };
  const handle = toNodeHandler({ fetch });
  const http = createServer((request, response) => void handle(request, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo; // listens on TCP
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      http.close();
      http.closeAllConnections();
      await modern.close();
      await Promise.all(sessions.values().map((session) => session.close()));
    },
  };
}

async function answerLegacy(
  request: Request,
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  notify: ServerNotifier,
): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  const known = sessions.get(id ?? "");
  if (known) return known.handleRequest(request);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: createEventStore(),
    retryInterval: RETRY_MS,
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    onsessionclosed: (sessionId) => void sessions.delete(sessionId),
  });
  if (id !== null) {
    const error = { code: -32001, message: "Session not found" };
    return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
  }
  await createFullServer(notify).connect(transport);
  return transport.handleRequest(request);
}

function createFullServer(notify: ServerNotifier): McpServer {
  const server = new McpServer(
    { name: "conformance-upstream", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: requestStates.verify },
    },
  );
  addTools(server);
  addAskingTools(server);
  addQuestions(server);
  addPrompts(server);
  addResources(server);
  server.registerTool("test_trigger_tool_change", { description: "Says that the tools have changed" }, () => {
    notify.toolsChanged();
    return saying("Told");
  });
  server.registerTool("test_trigger_prompt_change", { description: "Says that the prompts have changed" }, () => {
    notify.promptsChanged();
    return saying("Told");
  });
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  return server;
}
