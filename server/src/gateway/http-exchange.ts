import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressOf } from "#lib/caller-address";
import { ChunkList } from "#lib/chunk-list";
import type { ClosedConnections } from "#lib/closed-connections";
import type { InFlightBytes } from "#lib/in-flight-bytes";
import { disconnectStalledReader } from "#lib/stalled-reader";
import type { BodyReader, EventStream, Exchange } from "./exchange.ts";

const PARAM_HEADER = "mcp-param-";
const STREAM_HEADERS = [
  "content-type",
  "text/event-stream",
  "cache-control",
  "no-store",
  // Prevents nginx and similar proxies from buffering events.
  "x-accel-buffering",
  "no",
];

const SINGLE_WRITE_BYTES = 16 * 1024;

/** What all exchanges of a gateway share. */
export interface ExchangeContext {
  readonly inFlight: InFlightBytes;
  readonly addressOf: AddressOf;
  readonly closedConnections: Pick<ClosedConnections, "add">;
}

/** An exchange backed by Node's request and response. */
export class HttpExchange implements Exchange {
  requestId: string;
  payer = "";
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #context: ExchangeContext;
  #heldBytes = 0;
  readonly #body = new ChunkList();
  /** Undefined when the body is not being read, or when it was rejected. */
  #reader: BodyReader | undefined;
  #over = false;
  #goneListeners: (() => void)[] | undefined;
  #overListeners: (() => void)[] | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, requestId: string, context: ExchangeContext) {
    this.#request = request;
    this.#response = response;
    this.requestId = requestId;
    this.#context = context;
    response.on("close", () => this.#closed());
  }

  #closed(): void {
    this.#over = true;
    this.#context.inFlight.giveBack(this.payer, this.#heldBytes);
    if (this.#goneListeners && this.gone) for (const listener of this.#goneListeners) listener();
    if (this.#overListeners) for (const listener of this.#overListeners) listener();
  }

  get address(): string {
    return this.#context.addressOf(this.#request);
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get target(): string {
    return this.#request.url ?? "";
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === "string" ? value : undefined;
  }

  get authorization(): string | undefined {
    const first = this.#request.headers.authorization;
    if (first === undefined) return undefined;
    // Node keeps only the first of several; picking one would be ambiguous (AUTH-4).
    const raw = this.#request.rawHeaders;
    let count = 0;
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i];
      if (name?.length === 13 && name.toLowerCase() === "authorization") count++;
    }
    return count === 1 ? first : undefined;
  }

  paramHeaders(): string[] {
    const raw = this.#request.rawHeaders;
    const found: string[] = [];
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i] ?? "";
      if (name.length > PARAM_HEADER.length && name.toLowerCase().startsWith(PARAM_HEADER)) {
        found.push(name, raw[i + 1] ?? "");
      }
    }
    return found;
  }

  /** GW-5: the limit applies to the bytes received, whatever Content-Length says. */
  readBody(limitBytes: number, reader: BodyReader): void {
    const request = this.#request;
    if (Number(request.headers["content-length"] ?? 0) > limitBytes) {
      reader.tooLarge();
      return;
    }
    this.#reader = reader;
    request.on("data", (chunk: Buffer) => this.#receive(chunk, limitBytes));
    request.on("end", () => this.#reader?.done(this.#body.chunks));
  }

  #receive(chunk: Buffer, limitBytes: number): void {
    const reader = this.#reader;
    if (!reader) return;
    this.#body.push(chunk);
    const tooLarge = this.#body.exceeds(limitBytes);
    if (!tooLarge && this.hold(chunk.length)) return;
    this.#reader = undefined;
    if (tooLarge) reader.tooLarge();
    else reader.noRoom();
  }

  hold(bytes: number): boolean {
    if (this.#over || !this.#context.inFlight.take(this.payer, bytes, this.#heldBytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  answer(status: number, headers: readonly string[], body: readonly Buffer[]): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    let length = 0;
    for (const part of body) length += part.length;
    // A response behind another one on its connection waits in memory until that one has been read.
    if (response.socket === null && !this.hold(length)) {
      this.#context.closedConnections.add("pipelined", this.#request.socket.remoteAddress);
      this.#request.socket.destroy();
      return;
    }
    // The unread part of a rejected body would have to be read before the connection could be reused. A 401 always
    // closes the connection, so that it does not reveal whether the body had arrived (AUTH-4).
    if (length > SINGLE_WRITE_BYTES) disconnectStalledReader(response, this.#context.closedConnections);
    const close = !this.#request.complete || status === 401;
    const head = [...headers, "content-length", String(length), "x-request-id", this.requestId];
    if (close) head.push("connection", "close");
    response.writeHead(status, head);
    const [only] = body;
    if (body.length === 1 && only && length <= SINGLE_WRITE_BYTES) {
      // As text, head and body are sent in one write instead of two; latin1 maps each byte to one character.
      response.end(only.toString("latin1"), "latin1");
      return;
    }
    response.cork();
    for (const part of body) response.write(part);
    response.end();
    response.uncork();
  }

  fail(status: number, headers: readonly string[], body: readonly Buffer[]): void {
    if (this.#response.headersSent) this.#response.destroy();
    else this.answer(status, headers, body);
  }

  openStream(): EventStream {
    const response = this.#response;
    disconnectStalledReader(response, this.#context.closedConnections);
    if (!response.headersSent && !response.destroyed) {
      response.writeHead(200, [...STREAM_HEADERS, "x-request-id", this.requestId]);
    }
    return {
      send: (message, id) => response.destroyed || response.write(eventOf(message, id)),
      onDrain: (listener) => void response.on("drain", listener),
      begin: (id, retryMs) =>
        void (
          response.destroyed || response.write(`retry: ${retryMs}\n${id === undefined ? "" : `id: ${id}\ndata: \n`}\n`)
        ),
      comment: () => void (response.destroyed || response.write(": alive\n\n")),
      end: () => void response.end(),
    };
  }

  get over(): boolean {
    return this.#over;
  }

  get gone(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }

  onGone(listener: () => void): void {
    this.#goneListeners ??= [];
    this.#goneListeners.push(listener);
  }

  onOver(listener: () => void): void {
    this.#overListeners ??= [];
    this.#overListeners.push(listener);
  }
}

const EVENT_START = Buffer.from("event: message\ndata: ");
const NEXT_LINE = "\ndata: ";
const EVENT_END = Buffer.from("\n\n");

/**
 * Encodes one event. A message that contains line breaks, which JSON allows only between tokens, needs several data
 * lines.
 */
function eventOf(message: Buffer, id: string | undefined): Buffer {
  const oneLine = !message.includes(0x0a) && !message.includes(0x0d);
  const data = oneLine ? message : Buffer.from(message.toString("utf8").replace(/\r\n?|\n/g, NEXT_LINE));
  const start = id === undefined ? EVENT_START : Buffer.from(`id: ${id}\nevent: message\ndata: `);
  return Buffer.concat([start, data, EVENT_END]);
}
