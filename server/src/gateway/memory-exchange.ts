import type { InFlightBytes } from "#lib/in-flight-bytes";
import type { BodyReader, CallObserver, EventStream, Exchange } from "./exchange.ts";

/** A request of this process itself, for agents. It takes the same path as one over HTTP. */
export interface OwnRequest {
  /** Path and query. */
  readonly target: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  /** Other headers, with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
  readonly observer?: CallObserver | undefined;
}

export interface OwnResponse {
  readonly status: number;
  /** The response, or the last message of an event stream. */
  readonly body: Buffer;
}

const LOOPBACK = "127.0.0.1";

/** An exchange without a connection. Messages before the response, such as progress, are dropped. */
export class MemoryExchange implements Exchange {
  requestId: string;
  payer = "";
  readonly address = LOOPBACK;
  readonly method = "POST";
  readonly target: string;
  readonly authorization: string;
  readonly #request: OwnRequest;
  readonly #inFlight: InFlightBytes;
  readonly #done: (response: OwnResponse) => void;
  readonly #abort: () => void;
  #heldBytes = 0;
  #over = false;
  #gone = false;
  #last: Buffer = Buffer.alloc(0);
  readonly #goneListeners: (() => void)[] = [];
  readonly #overListeners: (() => void)[] = [];

  constructor(
    request: OwnRequest,
    requestId: string,
    inFlight: InFlightBytes,
    { done, canceled }: { done(response: OwnResponse): void; canceled(): void },
  ) {
    this.requestId = requestId;
    this.target = request.target;
    this.authorization = request.authorization;
    this.#request = request;
    this.#inFlight = inFlight;
    this.#done = done;
    this.#abort = () => {
      this.#gone = true;
      this.#close();
      canceled();
    };
    request.signal.addEventListener("abort", this.#abort, { once: true });
  }

  get observer(): CallObserver | undefined {
    return this.#request.observer;
  }

  header(name: string): string | undefined {
    return name === "authorization" ? this.authorization : this.#request.headers[name];
  }

  paramHeaders(): string[] {
    return [];
  }

  readBody(limitBytes: number, reader: BodyReader): void {
    const { body } = this.#request;
    if (body.length > limitBytes) reader.tooLarge();
    else if (this.hold(body.length)) reader.done([body]);
    else reader.noRoom();
  }

  hold(bytes: number): boolean {
    if (this.#over || !this.#inFlight.take(this.payer, bytes, this.#heldBytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  answer(status: number, _headers: readonly string[], body: readonly Buffer[]): void {
    if (this.#over) return;
    this.#done({ status, body: Buffer.concat(body) });
    this.#close();
  }

  fail(status: number, headers: readonly string[], body: readonly Buffer[]): void {
    this.answer(status, headers, body);
  }

  openStream(): EventStream {
    return {
      send: (message) => {
        this.#last = message;
        return true;
      },
      onDrain: () => undefined,
      begin: () => undefined,
      comment: () => undefined,
      end: () => this.answer(200, [], [this.#last]),
    };
  }

  get over(): boolean {
    return this.#over;
  }

  get gone(): boolean {
    return this.#gone;
  }

  onGone(listener: () => void): void {
    this.#goneListeners.push(listener);
  }

  onOver(listener: () => void): void {
    this.#overListeners.push(listener);
  }

  #close(): void {
    this.#over = true;
    this.#request.signal.removeEventListener("abort", this.#abort);
    this.#inFlight.giveBack(this.payer, this.#heldBytes);
    if (this.#gone) for (const listener of this.#goneListeners) listener();
    for (const listener of this.#overListeners) listener();
  }
}
