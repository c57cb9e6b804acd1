/**
 * A process with servers that send far too much, and with the callers that use them. Prints the servers' URLs as
 * JSON; each line on its input is a command: `{"gateway","credential","kinds"}` calls, an empty line stops the calls.
 */
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { callText } from "../mcp-messages.ts";
import { listenOnLoopback, readBody } from "../upstreams/loopback.ts";

/** `guarded` is like `large`; the test has guards for it. */
export const NOISE = ["flood", "endless", "large", "guarded"] as const;
export type Noise = (typeof NOISE)[number];

export interface Command {
  readonly gateway: string;
  readonly credential: string;
  readonly kinds: readonly Noise[];
}

/** Built once, so that this process leaves the processors to the gateway. */
const LARGE_RESULT = Buffer.from(`"result":{"content":[{"type":"text","text":"${"x".repeat(15 << 20)}"}]}}`);
const LARGE_CALLERS = 24;
const TOOL = { name: "run", inputSchema: { type: "object" } };

function isLarge(kind: Noise): boolean {
  return kind === "large" || kind === "guarded";
}

function resultOf(method: string): object {
  if (method === "tools/list") return { tools: [TOOL] };
  return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "noisy", version: "1" } };
}

/** Writes forever, as fast as it is read. */
function writeForever(response: ServerResponse, part: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(part));
  };
  response.on("drain", more);
  more();
}

async function startNoisyServer(kind: Noise): Promise<string> {
  const { origin } = await listenOnLoopback(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse((await readBody(request)).toString("utf8"));
    const { id, method, params } = message;
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "server/discover") return void response.writeHead(404).end();
    const json = { "content-type": "application/json" };
    if (method !== "tools/call")
      return void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method) }));
    if (isLarge(kind)) {
      const start = `{"jsonrpc":"2.0","id":${id},`;
      response.writeHead(200, { ...json, "content-length": start.length + LARGE_RESULT.length });
      response.write(start);
      return void response.end(LARGE_RESULT);
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (kind === "endless") return writeForever(response, Buffer.from(`: ${"x".repeat(1 << 16)}\n`));
    const { progressToken } = params._meta;
    const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1 } };
    return writeForever(response, Buffer.from(`data: ${JSON.stringify(progress)}\n\n`.repeat(500)));
  });
  return `${origin}/mcp`;
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

async function callOnce({ gateway, credential }: Command, kind: Noise, signal: AbortSignal): Promise<void> {
  const text = callText({ era: "legacy", id: "1", tool: `${kind}__run`, arguments: "{}" });
  const body = text.replace('"arguments"', '"_meta":{"progressToken":"p"},"arguments"');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${credential}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const request = httpRequest(`${gateway}/mcp`, { method: "POST", headers, agent, signal }, resolve);
    request.on("error", reject);
    request.end(body);
  });
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  if (bytes < 1000 && !signal.aborted) throw new Error(`a short answer to ${kind}`);
}

async function callUntil(command: Command, kind: Noise, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await callOnce(command, kind, signal).catch(() => {});
}

if (import.meta.main) {
  const urls: Partial<Record<Noise, string>> = {};
  for (const kind of NOISE) urls[kind] = await startNoisyServer(kind);
  process.stdout.write(`${JSON.stringify(urls)}\n`);
  let calls = new AbortController();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "") {
      calls.abort();
      calls = new AbortController();
      continue;
    }
    const command: Command = JSON.parse(line);
    for (const kind of command.kinds) {
      for (let n = 0; n < (isLarge(kind) ? LARGE_CALLERS : 1); n++) void callUntil(command, kind, calls.signal);
    }
  }
  process.exit();
}
