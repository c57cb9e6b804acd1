/**
 * Stands between the conformance suite and the gateway, because the suite can send no credential and calls tools by
 * fixed names: adds the Authorization header and, where tools and prompts are called `{slug}__{name}`, translates.
 * Everything else, Host and Origin included, passes as it is.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { buffer, text } from "node:stream/consumers";
import { addPrefix, removePrefix } from "./gateway-names.ts";

export interface SuiteProxy {
  readonly url: string;
  close(): void;
}

export interface Destination {
  readonly url: string;
  readonly authorization: string;
  /** Given: names carry it there, and here not. */
  readonly prefix?: string;
}

export async function startProxy(destination: Destination): Promise<SuiteProxy> {
  const server = createServer((request, response) => {
    pass(request, response, destination).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // listens on TCP
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function pass(request: IncomingMessage, response: ServerResponse, destination: Destination): Promise<void> {
  const { prefix = "", authorization } = destination;
  const sent = await buffer(request);
  const message = addPrefix(prefix, {
    body: sent,
    method: request.headers["mcp-method"],
    name: request.headers["mcp-name"],
  });
  const headers = { ...request.headers, authorization, ...message.headers };
  if (sent.length > 0) headers["content-length"] = String(message.body.length);
  const outgoing = sendRequest(destination.url, { method: request.method, headers });
  response.on("close", () => outgoing.destroy());
  outgoing.end(message.body);
  const [answer]: IncomingMessage[] = await once(outgoing, "response");
  if (answer) await passBack(answer, response, prefix);
}

async function passBack(answer: IncomingMessage, response: ServerResponse, prefix: string): Promise<void> {
  const { "content-length": _, "transfer-encoding": __, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
  if (headers["content-type"]?.startsWith("text/event-stream")) {
    response.flushHeaders();
    for await (const line of createInterface({ input: answer }))
      response.write(`${line.startsWith("data: ") ? `data: ${removePrefix(prefix, line.slice(6))}` : line}\n`);
    response.end();
  } else response.end(removePrefix(prefix, await text(answer)));
}
