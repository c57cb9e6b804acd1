/**
 * A small MCP server for trying out Gatehouse. It has no data and makes no requests. It is served only on installations
 * that are reachable from this machine alone.
 */
import type { FastifyInstance } from "fastify";
import { z } from "zod";

export const SAMPLE_PATH = "/sample/mcp";
const BODY_LIMIT_BYTES = 64 * 1024;

const TOOLS = [
  {
    name: "echo",
    title: "Echo",
    description: "Returns the given text",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    annotations: { readOnlyHint: true },
  },
  {
    name: "add",
    title: "Add",
    description: "Adds two numbers",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
    annotations: { readOnlyHint: true },
  },
];

const Request = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});
const Call = z.discriminatedUnion("name", [
  z.object({ name: z.literal("echo"), arguments: z.object({ text: z.string() }) }),
  z.object({ name: z.literal("add"), arguments: z.object({ a: z.number(), b: z.number() }) }),
]);

export function isOnThisMachine(baseUrl: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);
}

export function mountSample(server: FastifyInstance, baseUrl: string): void {
  if (!isOnThisMachine(baseUrl)) return;
  server.register(async (sample) => {
    sample.removeAllContentTypeParsers();
    const json = { parseAs: "string", bodyLimit: BODY_LIMIT_BYTES } as const;
    sample.addContentTypeParser("application/json", json, (_request, body, done) => done(null, body));
    sample.post(SAMPLE_PATH, (request, reply) => {
      const answer = respondTo(String(request.body));
      return answer === undefined ? reply.code(202).send() : reply.type("application/json").send(answer);
    });
  });
}

/** Legacy era, without sessions. Undefined: the message is a notification. */
function respondTo(body: string): string | undefined {
  const { data, error } = Request.safeParse(parseJson(body));
  if (error) return responseWith(null, { error: { code: -32700, message: "Parse error" } });
  if (data.id === undefined) return undefined;
  return responseWith(data.id, resultOf(data.method, data.params));
}

function resultOf(method: string, params: unknown): object {
  if (method === "initialize") {
    const serverInfo = { name: "gatehouse-sample", title: "Sample", version: "1.0.0" };
    return { result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } };
  }
  if (method === "ping") return { result: {} };
  if (method === "tools/list") return { result: { tools: TOOLS } };
  if (method !== "tools/call") return { error: { code: -32601, message: "Method not found" } };
  const { data: call } = Call.safeParse(params);
  if (!call) return { error: { code: -32602, message: "Unknown tool or invalid arguments" } };
  const text = call.name === "echo" ? call.arguments.text : String(call.arguments.a + call.arguments.b);
  return { result: { content: [{ type: "text", text }] } };
}

function responseWith(id: string | number | null, outcome: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, ...outcome });
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
