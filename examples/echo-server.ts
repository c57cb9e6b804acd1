/**
 * A small MCP server to try Gatehouse with: `npm run example`, or `npm run example -- 8091` for another port. It supports
 * both eras of the protocol at http://127.0.0.1:8090/mcp and needs no authentication.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const DEFAULT_PORT = 8090;

function createTools(): McpServer {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Returns the text", inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  server.registerTool(
    "add",
    { description: "Adds two numbers", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  return server;
}

export interface EchoServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Port 0 selects a free port. */
export async function startEchoServer(port: number): Promise<EchoServer> {
  const handler = createMcpHandler(createTools);
  const server = createServer((request, response) => {
    answer(handler.fetch, request, response).catch(() => response.destroy());
  });
  await listenOnLoopback(server, port);
  const address = server.address() as AddressInfo; // a TCP listener's address is never a path
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listenOnLoopback(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

/** Converts between the SDK's Request and Response and node:http. */
async function answer(
  serve: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/", headers } = request;
  const body = method === "POST" ? { body: new Uint8Array(await buffer(request)) } : {};
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answered = await serve(new Request(new URL(url, "http://127.0.0.1"), { method, headers: given, ...body }));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  for await (const chunk of answered.body ?? []) response.write(chunk);
  response.end();
}

if (import.meta.main) {
  // Not awaited here: its test is loaded without waiting (decision 0200).
  void startEchoServer(Number(process.argv[2] ?? DEFAULT_PORT)).then(({ url }) =>
    console.log(`The example MCP server listens at ${url}`),
  );
}
