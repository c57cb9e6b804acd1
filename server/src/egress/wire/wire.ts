/**
 * The connections to one origin, for calls: one request at a time on each, kept for the next. Not undici, because a
 * tool call spends more in undici than in all of our own code; what is not a call still goes through undici.
 */
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import type { Clock } from "#lib/clock";
import { EgressFailure, toConnectFailure } from "../failure.ts";
import { Connection, type WireHandler, type WireRequest } from "./connection.ts";
import { headerLines, PreparedLines } from "./request-head.ts";

export type { AnswerHead, AnswerHeaders } from "./answer-head.ts";
export { KEEP_ALIVE_MS, type WireControl, type WireHandler } from "./connection.ts";

export interface WireMessage {
  readonly method: "POST" | "GET" | "DELETE";
  readonly path: string;
  /** Names and values in turn. The same list again and again is read only once, so it must never change. */
  readonly headers: readonly string[];
  /** The same for this message alone. */
  readonly ownHeaders?: readonly string[];
  readonly body: Buffer | null;
}

export interface WireOptions {
  readonly url: URL;
  readonly connect: buildConnector.connector;
  readonly clock: Clock;
  readonly maxConnections: number;
}

const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;

export class Wire {
  readonly #options: WireOptions;
  readonly #lines = new PreparedLines();
  readonly #all = new Set<Connection>();
  /** The one used last is taken first: the others grow old and go. */
  readonly #free: Connection[] = [];
  /** In the order of their arrival. */
  readonly #waiting = new Map<WireHandler, WireRequest>();
  #connecting = 0;
  #closed = false;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** Requests that are waiting or under way. */
  get load(): number {
    return this.#waiting.size + this.#all.size - this.#free.length;
  }

  /**
   * On its way when this returns, if a connection is free. `firstByteMs` bounds the peer's silence before its answer,
   * `idleMs` that between two pieces of it. Throws `EgressFailure` on what may not be sent.
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

  /** True when the request was still waiting: then nothing has left, and its handler hears nothing more. */
  forget(handler: WireHandler): boolean {
    return this.#waiting.delete(handler);
  }

  /** Lets what is under way end; nothing new is taken. */
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
      // One attempt, one request: the others have attempts of their own, or get them now that there is room.
      const next = this.#next();
      this.#connectIfNeeded();
      next?.handler.failed(error ?? toConnectFailure(undefined, url.hostname, "tcp"));
    });
  }

  #opened(socket: Socket): void {
    const connection = new Connection(socket, this.#options.clock, this);
    this.#all.add(connection);
    this.free(connection);
  }
}

function closedFailure(options = { nothingSent: true }): EgressFailure {
  return new EgressFailure("closed", "the service is shutting down", options);
}
