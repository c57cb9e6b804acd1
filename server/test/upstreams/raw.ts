/**
 * A small MCP server over node:http: both eras, strict about requests, fast enough for measurements, and able to
 * misbehave in every way that the gateway must survive (see behaviours.ts). Its tools return the bytes that they
 * received, so a test can compare byte for byte.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Behaviour, misbehave, sendJson, sendSse } from "./behaviours.ts";
import { listenOnLoopback, readBody } from "./loopback.ts";
import {
  DEFAULT_TOOLS,
  type Eras,
  errorBody,
  type Paging,
  type RawResources,
  type RawTool,
  refuse,
  respond,
} from "./raw-answers.ts";
import { readSeen, type SeenRequest } from "./seen-request.ts";

export type { Behaviour, Eras, RawTool, SeenRequest };

export interface RawUpstreamOptions extends Paging {
  readonly eras?: Eras;
  /**
   * Default: `echo`, whose structuredContent is its arguments verbatim, and `headers`, which returns the received
   * headers.
   */
  readonly tools?: readonly RawTool[];
  /** Default: none are offered. */
  readonly prompts?: readonly RawTool[];
  readonly resources?: RawResources;
  /** Default false: the method is unknown. */
  readonly completes?: boolean;
  /** The text for models in the handshake. Default: none. */
  readonly instructions?: string;
  /** Legacy era: issues an `Mcp-Session-Id` and requires it. */
  readonly sessions?: boolean;
  /** How each message is answered; `json` by default. Can be replaced at any time. */
  readonly behave?: (request: SeenRequest) => Behaviour;
  /** Milliseconds before the n-th response (from 1). */
  readonly delayMs?: (n: number) => number;
  /** Awaited before a message is answered. */
  readonly gate?: (request: SeenRequest) => Promise<void> | undefined;
  /** The status for a request for the stream of a session; 405 by default. */
  readonly streamStatus?: () => number;
  /** Records requests in `seen`; turn it off for measurements. Default true. */
  readonly record?: boolean;
}

export interface RawUpstream {
  readonly url: string;
  readonly origin: string;
  readonly seen: SeenRequest[];
  behave: (request: SeenRequest) => Behaviour;
  tools: readonly RawTool[];
  prompts: readonly RawTool[] | undefined;
  resources: RawResources | undefined;
  readonly completes: boolean;
  instructions: string | undefined;
  eras: Eras;
  /** Number of received messages with that JSON-RPC method. */
  count(method: string): number;
  /** Forgets every legacy session, as after a restart: 404. */
  forgetSessions(): void;
  close(): Promise<void>;
}

export async function startRawUpstream(options: RawUpstreamOptions = {}): Promise<RawUpstream> {
  const sessions = new Set<string>();
  const counts = new Map<string, number>();
  let answers = 0;

  const server = await listenOnLoopback(async (request, response) => {
    const seen = readSeen(request, await readBody(request));
    if (!seen) {
      sendJson(response, 400, errorBody("null", -32700, "Parse error"));
      return;
    }
    counts.set(seen.method, (counts.get(seen.method) ?? 0) + 1);
    if (options.record !== false) upstream.seen.push(seen);
    response.on("close", () => {
      seen.answered = response.writableFinished;
      seen.aborted = !seen.answered;
    });
    if (options.gate) await options.gate(seen);
    const delay = options.delayMs?.(++answers) ?? 0;
    if (delay > 0) setTimeout(() => answer(upstream, options, sessions, seen, response), delay).unref();
    else answer(upstream, options, sessions, seen, response);
  });

  const upstream: RawUpstream = {
    url: `${server.origin}/mcp`,
    origin: server.origin,
    seen: [],
    behave: options.behave ?? (() => "json"),
    tools: options.tools ?? DEFAULT_TOOLS,
    prompts: options.prompts,
    resources: options.resources,
    completes: options.completes ?? false,
    instructions: options.instructions,
    eras: options.eras ?? "both",
    count: (method) => counts.get(method) ?? 0,
    forgetSessions: () => sessions.clear(),
    close: () => server.close(),
  };
  return upstream;
}

function answer(
  upstream: RawUpstream,
  options: RawUpstreamOptions,
  sessions: Set<string>,
  seen: SeenRequest,
  response: ServerResponse,
): void {
  const behaviour = upstream.behave(seen);
  if (misbehave(behaviour, seen, response)) return;
  const refusal = refuse(seen, upstream.eras, options.sessions === true, sessions);
  if (refusal) sendJson(response, refusal.status, errorBody(seen.id ?? "null", refusal.code, refusal.message));
  else if (seen.httpMethod === "GET") sendJson(response, options.streamStatus?.() ?? 405, "", { allow: "POST" });
  else if (seen.httpMethod === "DELETE") {
    sessions.delete(String(seen.headers["mcp-session-id"]));
    sendJson(response, 200, "");
  } else if (seen.id === undefined || seen.method === "response") response.writeHead(202).end();
  else {
    const headers = seen.method === "initialize" && options.sessions ? newSession(sessions) : {};
    const reply = respond(seen, upstream, options);
    if (behaviour === "json") sendJson(response, reply.status, reply.body, headers);
    else sendSse(response, behaviour, seen, reply.body, headers);
  }
}

function newSession(sessions: Set<string>): Record<string, string> {
  const session = `session-${randomUUID()}`;
  sessions.add(session);
  return { "mcp-session-id": session };
}
