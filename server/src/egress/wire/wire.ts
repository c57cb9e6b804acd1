/**
 * The connections to one origin, for tool calls: each carries one request at a time and is reused. Not undici, because
 * undici would take more time per tool call than all other code; other requests use undici.
 */
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import type { Clock } from "#lib/clock";
import type { ReadLane } from "#lib/read-pacer";
import { EgressFailure, toConnectFailure } from "../failure.ts";
import { Connection, type WireHandler, type WireRequest } from "./connection.ts";
import { headerLines, PreparedLines } from "./request-head.ts";

export type { AnswerHead, AnswerHeaders } from "./answer-head.ts";
export { KEEP_ALIVE_MS, type WireControl, type WireHandler } from "./connection.ts";

export interface WireMessage {
  readonly method: "POST" | "GET" | "DELETE";
  readonly path: string;
  /** Alternating names and values. Parsed once per list object, so the list must not change. */
  readonly headers: readonly string[];
  /** The same, for this message only. */
  readonly ownHeaders?: readonly string[];
  readonly body: Buffer | null;
}

export interface WireOptions {
  readonly url: URL;
  readonly connect: buildConnector.connector;
  readonly clock: Clock;
  /** The responses of this origin share it. */
  readonly lane: ReadLane;
  readonly maxConnections: number;
}

const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;

export class Wire {
  readonly #options: WireOptions;
  readonly #lines = new PreparedLines();
  readonly #all = new Set<Connection>();
  /** The most recently used connection is taken first, so that the others expire. */
  readonly #free: Connection[] = [];
  /** In the order of arrival. */
  readonly #waiting = new Map<WireHandler, WireRequest>();
  #connecting = 0;
  #closed = false;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** Requests that are queued or in progress. */
  get load(): number {
    return this.#waiting.size + this.#all.size - this.#free.length;
  }

  /**
   * Sends the request immediately if a connection is free. `firstByteMs` limits the wait for the response, `idleMs` the
   * time between two chunks of it. Throws `EgressFailure` for a request that cannot be sent.
   */
  send(message: WireMessage, idleMs: number, handler: WireHandler, firstByteMs = idleMs): void {
    if (this.#closed) throw closedFailure();
    const { method, path, headers, ownHeaders = [], body } = message;
    if (!PATH.test(path)) throw new EgressFailure("refused", "the path is not valid", { nothingSent: true });
    const lines = this.#lines.of(headers) + headerLines(ownHeaders);
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#options.url.host}\r\n${lines}`;
    const request = { head, body, idleMs, firstByteMs };
    const now = this.#options.clock.monotonic();
    for (let free = this.#free.pop(); free; free = this.#free.pop()) {
      if (!free.usable(now)) free.destroy();
      else return free.send(request, handler);
    }
    this.#waiting.set(handler, request);
    this.#connectIfNeeded();
  }

  /** Returns true if the request was still queued: then nothing was sent, and its handler is not called again. */
  forget(handler: WireHandler): boolean {
    return this.#waiting.delete(handler);
  }

  /** Lets requests in progress finish and accepts no new ones. */
  close(): void {
    this.#closed = true;
    for (const free of this.#free.splice(0)) free.destroy();
  }

  destroy(): void {
    this.#closed = true;
    for (let next = this.#next(); next; next = this.#next()) next.handler.failed(closedFailure());
    for (const connection of [...this.#all]) connection.destroy(closedFailure({ nothingSent: false }));
  }

  free(connection: Connection): void {
    const next = this.#next();
    if (next) connection.send(next.request, next.handler);
    else if (this.#closed) connection.destroy();
    else this.#free.push(connection);
  }

  gone(connection: Connection): void {
    this.#all.delete(connection);
    const place = this.#free.indexOf(connection);
    if (place !== -1) this.#free.splice(place, 1);
    this.#connectIfNeeded();
  }

  #next(): { readonly handler: WireHandler; readonly request: WireRequest } | undefined {
    if (this.#waiting.size === 0) return undefined;
    for (const [handler, request] of this.#waiting) {
      this.#waiting.delete(handler);
      return { handler, request };
    }
    return undefined;
  }

  #connectIfNeeded(): void {
    const room = this.#all.size + this.#connecting < this.#options.maxConnections;
    if (room && this.#waiting.size > this.#connecting) this.#connect();
  }

  #connect(): void {
    this.#connecting++;
    const { url, connect } = this.#options;
    const target = {
      hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      host: url.host,
      protocol: url.protocol,
      port: url.port,
    };
    connect(target, (error, socket) => {
      this.#connecting--;
      if (socket) return this.#opened(socket);
      // Each request has its own connection attempt; others get one now if the limit allows it.
      const next = this.#next();
      this.#connectIfNeeded();
      next?.handler.failed(error ?? toConnectFailure(undefined, url.hostname, "tcp"));
    });
  }

  #opened(socket: Socket): void {
    const connection = new Connection(socket, this.#options.clock, this.#options.lane, this);
    this.#all.add(connection);
    this.free(connection);
  }
}

function closedFailure(options = { nothingSent: true }): EgressFailure {
  return new EgressFailure("closed", "the service is shutting down", options);
}
