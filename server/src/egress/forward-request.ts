/**
 * Forwards an HTTP request over a Unix socket to the control worker (decision 0145). No address rules apply: the socket is
 * in this installation's folder.
 */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Clock } from "#lib/clock";

/** The IP address of the client, which only the forwarding process knows. */
export const PEER_HEADER = "x-gatehouse-peer";

export interface ForwardTarget {
  /** The current path of the socket; undefined while there is none. */
  readonly socketPath: () => string | undefined;
  readonly clock: Clock;
  /** How long a request waits while the control worker starts. */
  readonly waitMs: number;
}

const RETRY_MS = 50;
/** They describe one connection, or are set for the next one. */
const NOT_FORWARDED = new Set(["connection", "keep-alive", "expect", PEER_HEADER]);
const NOT_RETURNED = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** A read that the control worker did not answer before it ended is repeated; a write may have been done. */
const REPEATABLE = new Set(["GET", "HEAD"]);

export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  target: ForwardTarget,
): Promise<void> {
  const deadline = target.clock.monotonic() + target.waitMs;
  const repeatable = REPEATABLE.has(request.method ?? "") && !hasBody(request);
  while (!response.destroyed) {
    const socket = await tryConnect(target.socketPath());
    if (socket && (await exchange(request, response, socket))) return;
    const mayRepeat = !socket || repeatable;
    if (!mayRepeat || target.clock.monotonic() >= deadline) return refuse(request, response);
    await new Promise<void>((resolve) => target.clock.after(RETRY_MS, resolve));
  }
}

/** Whether a response has started. After that, its own stream reports how it ends. */
function exchange(request: IncomingMessage, response: ServerResponse, socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const forwarded = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request),
    });
    const abort = () => forwarded.destroy();
    forwarded.on("response", (answer) => {
      returnResponse(request, response, answer);
      resolve(true);
    });
    forwarded.on("error", () => {
      response.off("close", abort);
      resolve(false);
    });
    response.on("close", abort);
    if (hasBody(request)) request.pipe(forwarded);
    else forwarded.end();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Nothing is sent yet, so a failed attempt can always be repeated. */
function tryConnect(path: string | undefined): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    if (path === undefined) return resolve(undefined);
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => resolve(undefined));
  });
}

function forwardedHeaders(request: IncomingMessage): string[] {
  const headers = keptHeaders(request.rawHeaders, NOT_FORWARDED);
  headers.push(PEER_HEADER, request.socket.remoteAddress ?? "", "connection", "close");
  // Otherwise Node would send an empty body in chunks.
  if (!hasBody(request) && request.headers["content-length"] === undefined) headers.push("content-length", "0");
  return headers;
}

function keptHeaders(raw: readonly string[], dropped: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    if (!dropped.has(name.toLowerCase())) kept.push(name, raw[at + 1] ?? "");
  }
  return kept;
}

function returnResponse(request: IncomingMessage, response: ServerResponse, answer: IncomingMessage): void {
  closeIfIncomplete(request, response);
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, keptHeaders(answer.rawHeaders, NOT_RETURNED));
  answer.pipe(response);
  // An incomplete response must not look complete.
  answer.on("close", () => answer.complete || response.destroy());
  answer.on("error", () => response.destroy());
}

/** The rest of a body that was rejected early must not be read as the next request. */
function closeIfIncomplete(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete) response.shouldKeepAlive = false;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed || response.headersSent) return;
  closeIfIncomplete(request, response);
  response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
  response.end(JSON.stringify({ error: "The administration API is restarting; try again" }));
}

/** Gives a forwarded request the address of its client. Only for listeners that no client can reach. */
export function restorePeer(request: IncomingMessage): void {
  const value = request.headers[PEER_HEADER];
  delete request.headers[PEER_HEADER];
  Object.defineProperty(request.socket, "remoteAddress", { value, configurable: true });
}
