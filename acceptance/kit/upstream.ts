import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface UpstreamCall {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect calls of every shape
  readonly params: any;
}

export interface Upstream {
  readonly url: string;
  /** The received messages, in order. */
  readonly calls: readonly UpstreamCall[];
  close(): Promise<void>;
}

export const TOOLS = [
  { name: "echo", title: "Echo", description: "Says it again.", inputSchema: { type: "object" } },
  { name: "add_numbers", description: "Adds a and b.", inputSchema: { type: "object" } },
];

/** A small legacy MCP server on loopback, without sessions and with JSON responses. */
export async function startUpstream(
  listTools: () => readonly object[] = () => TOOLS,
  instructions?: string,
): Promise<Upstream> {
  const calls: UpstreamCall[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    calls.push({ headers: request.headers, method, params });
    if (id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method, params, listTools, instructions) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answerTo(
  method: string,
  params: UpstreamCall["params"],
  listTools: () => readonly object[],
  instructions: string | undefined,
): object {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "acceptance upstream", version: "1" },
          ...(instructions !== undefined && { instructions }),
        },
      };
    case "tools/list":
      return { result: { tools: listTools() } };
    case "tools/call":
      return { result: { content: [{ type: "text", text: JSON.stringify(params) }] } };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}
