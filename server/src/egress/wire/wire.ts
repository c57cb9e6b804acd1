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

interface Waiting {
  readonly request: WireRequest;
  readonly handler: WireHandler;
}

const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;

export class Wire {
  readonly #options: WireOptions;
  readonly #lines = new PreparedLines();
  readonly #all = new Set<Connection>();
  /** The one used last is taken first: the others grow old and go. */
  readonly #free: Connection[] = [];
  readonly #waiting: Waiting[] = [];
  #connecting = 0;
  #closed = false;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** Requests that are waiting or under way. */
  get load(): number {
    return this.#waiting.length + this.#all.size - this.#free.length;
  }

  /**
   * On its way when this returns, if a connection is free. `idleMs` bounds the peer's silence before its answer and
   * between two pieces of it. Throws `EgressFailure` on what may not be sent.
   */
  send(message: WireMessage, idleMs: number, handler: WireHandler): void {
    if (this.#closed) throw closedFailure();
    const { method, path, headers, ownHeaders = [], body } = message;
    if (!PATH.test(path)) throw new EgressFailure("refused", "the path is not valid", { nothingSent: true });
    const lines = this.#lines.of(headers) + headerLines(ownHeaders);
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#options.url.host}\r\n${lines}`;
    const request = { head, body, idleMs };
    const now = this.#options.clock.monotonic();
    for (let free = this.#free.pop(); free; free = this.#free.pop()) {
      if (!free.usable(now)) free.destroy();
      else {
        if (!free.send(request, handler)) this.#free.push(free);
        return;
      }
    }
    this.#waiting.push({ request, handler });
    if (this.#all.size + this.#connecting < this.#options.maxConnections) this.#connect();
  }

  /** Lets what is under way end; nothing new is taken. */
  close(): void {
    this.#closed = true;
    for (const free of this.#free.splice(0)) free.destroy();
  }

  destroy(): void {
    this.#closed = true;
    for (const { handler } of this.#waiting.splice(0)) handler.failed(closedFailure());
    for (const connection of [...this.#all]) connection.destroy(closedFailure());
  }

  free(connection: Connection): void {
    if (this.#takeWaiting(connection)) return;
    if (this.#closed) connection.destroy();
    else this.#free.push(connection);
  }

  gone(connection: Connection): void {
    this.#all.delete(connection);
    const place = this.#free.indexOf(connection);
    if (place !== -1) this.#free.splice(place, 1);
    if (this.#waiting.length > this.#connecting) this.#connect();
  }

  /** True when the connection has a request now. */
  #takeWaiting(connection: Connection): boolean {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (connection.send(next.request, next.handler)) return true;
    }
    return false;
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
      if (socket) this.#opened(socket);
      // One attempt, one request: the others have attempts of their own.
      else this.#waiting.shift()?.handler.failed(error ?? toConnectFailure(undefined, url.hostname, "tcp"));
    });
  }

  #opened(socket: Socket): void {
    const connection = new Connection(socket, this.#options.clock, this);
    this.#all.add(connection);
    this.free(connection);
  }
}

function closedFailure(): EgressFailure {
  return new EgressFailure("closed", "the service is shutting down", { nothingSent: true });
}
