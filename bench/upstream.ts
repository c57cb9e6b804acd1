/** A minimal MCP upstream: every tools/call gets the same result of the given size. */
import { createServer } from "node:http";

const payload = "x".repeat(Number(process.argv[2] ?? 200));
const tool = { name: "echo", description: "Answers with text", inputSchema: { type: "object" } };

function resultOf(method: string): object {
  if (method === "server/discover")
    return {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
    };
  if (method === "tools/list") return { tools: [tool], resultType: "complete", ttlMs: 0, cacheScope: "private" };
  if (method === "initialize")
    return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "bench", version: "1" } };
  return { content: [{ type: "text", text: payload }], resultType: "complete" };
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.method === "GET") return response.end("{}");
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (id === undefined) {
      response.writeHead(202);
      return response.end();
    }
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method) }));
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    return response.end(body);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
