/**
 * A proxy in front of the gateway that keeps Host and Origin. It records requests, adds the credential for the
 * conformance suite, which cannot send one, and translates the suite's fixed names of tools and prompts to
 * `{slug}__{name}`.
 */
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { buffer, text } from "node:stream/consumers";
import { addPrefix, removePrefix } from "./gateway-names.ts";

export interface GatewayProxy {
  readonly url: string;
  close(): void;
}

export interface Destination {
  readonly url: string;
  readonly authorization?: string;
  /** The prefix of names at the gateway, if they have one. */
  readonly prefix?: string;
  readonly watch?: (headers: IncomingHttpHeaders) => void;
}

export async function startProxy(destination: Destination): Promise<GatewayProxy> {
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
  const { url, prefix = "", authorization } = destination;
  destination.watch?.(request.headers);
  const sent = await buffer(request);
  const { "mcp-method": method, "mcp-name": name } = request.headers;
  const message = addPrefix(prefix, { body: sent, method, name });
  const headers = { ...request.headers, ...message.headers };
  if (authorization !== undefined) headers.authorization = authorization;
  if (sent.length > 0) headers["content-length"] = String(message.body.length);
  const address = request.url === "/mcp" ? url : new URL(request.url ?? "/", url);
  const outgoing = sendRequest(address, { method: request.method, headers });
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
