/**
 * A real MCP server with the HTTP+SSE transport of 2024-11-05, which the SDK no longer includes: a stream per session,
 * and messages posted separately. It can misbehave in the ways specific to this transport.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { createEchoServer, type EchoUpstreamOptions } from "./echo.ts";
import type { RawAnswer } from "./hostile-answers.ts";
import { listenOnLoopback, readBody } from "./loopback.ts";

export interface EventStreamUpstreamOptions extends Pick<EchoUpstreamOptions, "tools" | "delayMs" | "extend"> {
  /** The data of the `endpoint` event; by default a URL with the session's ID. */
  readonly endpoint?: (session: string) => string;
  /** The status for a POST to the stream's URL; 405 by default. */
  readonly postStatus?: number;
}

export interface SeenMessage {
  readonly session: string;
  readonly method: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface EventStreamUpstream {
  readonly url: string;
  readonly seen: SeenMessage[];
  /** Requests to the stream's URL: `GET` and `POST`. */
  readonly asked: string[];
  /** The `Authorization` of each stream's GET. */
  readonly streamTokens: (string | undefined)[];
  /** The open streams. */
  readonly streams: ReadonlyMap<string, ServerResponse>;
  executions(): number;
  aborts(): number;
  count(method: string): number;
  /** The status that rejects a POST; undefined if it is accepted. */
  refusePosts: ((method: string) => number | undefined) | undefined;
  /** The response to an accepted POST instead of 202. */
  takePosts: ((method: string) => RawAnswer | undefined) | undefined;
  /** Sends this text to every stream. */
  say(text: string): void;
  /** Ends every stream. */
  drop(): void;
  close(): Promise<void>;
}

export async function startEventStreamUpstream(options: EventStreamUpstreamOptions = {}): Promise<EventStreamUpstream> {
  const tally = { executions: 0, aborts: 0 };
  const sessions = new Map<string, Session>();
  const streams = new Map<string, ServerResponse>();
  const server = await listenOnLoopback(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://upstream");
    if (url.pathname === "/sse") {
      upstream.asked.push(request.method ?? "");
      if (request.method !== "GET") return void response.writeHead(options.postStatus ?? 405).end();
      upstream.streamTokens.push(request.headers.authorization);
      const id = randomUUID();
      const session = new Session(response);
      sessions.set(id, session);
      streams.set(id, response);
      response.on("close", () => {
        streams.delete(id);
        sessions.delete(id);
        session.onclose?.();
      });
      const server = createEchoServer(options, tally);
      options.extend?.(server);
      await server.connect(session);
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(`event: endpoint\ndata: ${options.endpoint?.(id) ?? `/messages?session=${id}`}\n\n`);
      return;
    }
    const id = url.searchParams.get("session") ?? "";
    const message: JSONRPCMessage = JSON.parse((await readBody(request)).toString("utf8"));
    const method = "method" in message ? message.method : "response";
    upstream.seen.push({ session: id, method, headers: request.headers });
    const session = sessions.get(id);
    const refused = upstream.refusePosts?.(method) ?? (session ? undefined : 404);
    if (refused !== undefined) return void response.writeHead(refused).end();
    const raw = upstream.takePosts?.(method);
    if (raw)
      raw(request.socket, { ...UNUSED_FIELDS, method, headers: request.headers, id: JSON.stringify(idOf(message)) });
    else response.writeHead(202).end("Accepted");
    session?.onmessage?.(message);
  });
  const upstream: EventStreamUpstream = {
    url: `${server.origin}/sse`,
    seen: [],
    asked: [],
    streamTokens: [],
    streams,
    executions: () => tally.executions,
    aborts: () => tally.aborts,
    count: (method) => upstream.seen.filter((seen) => seen.method === method).length,
    refusePosts: undefined,
    takePosts: undefined,
    say: (text) => streams.forEach((stream) => void stream.write(text)),
    drop: () => streams.forEach((stream) => void stream.destroy()),
    close: () => server.close(),
  };
  return upstream;
}

/** Fields that a hostile answer does not use. */
const UNUSED_FIELDS = {
  httpMethod: "POST",
  body: Buffer.alloc(0),
  era: "legacy",
  tool: undefined,
  uri: undefined,
  answered: false,
  aborted: false,
} as const;

function idOf(message: JSONRPCMessage): unknown {
  return "id" in message ? message.id : undefined;
}

class Session implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #stream: ServerResponse;

  constructor(stream: ServerResponse) {
    this.#stream = stream;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    this.#stream.end();
  }
}
