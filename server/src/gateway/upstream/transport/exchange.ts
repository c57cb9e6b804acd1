/**
 * One HTTP exchange with an upstream: a plain response is collected, an event stream is delivered message by message.
 * Nothing is decoded, redirected or sent twice here.
 */
import type { AnswerHead, AnswerHeaders, Wire, WireControl, WireHandler, WireMessage } from "#egress/egress";
import { ChunkList } from "#lib/chunk-list";
import { SseOverflow, SseParser } from "#lib/sse";
import { faultOfError, UpstreamFault } from "../failure.ts";
import { type ResponseLease, UNCOUNTED_BYTES } from "../limits/response-memory.ts";

export interface ExchangeLimits {
  /** The longest pause between two chunks of the response, and before it unless `firstByteMs` is set. */
  readonly idleMs: number;
  readonly firstByteMs?: number;
  /**
   * The limit of a plain response and of one event (GW-10). Events get the limit of a response and not the smaller one
   * of a notification, because many servers send the result of every call as an event.
   */
  readonly maxBytes: number;
}

/** Receives one exchange: any number of `event`, then one of `answer`, `streamEnd` and `fault`. */
export interface ExchangeHandler {
  /** The memory for a large response; absent for requests of the gateway itself. */
  readonly memory?: ResponseLease;
  event(data: Buffer): void;
  /** An event stream begins. */
  opened?(): void;
  /** A complete plain response, in chunks. `json` is its declared type; other bodies are dropped. */
  answer(status: number, json: boolean, body: readonly Buffer[]): void;
  streamEnd(lastEventId: string | undefined, retryMs: number | undefined): void;
  fault(fault: UpstreamFault): void;
  /** After `ignore` or `abort`: the connection is free or closed. */
  closed?(): void;
}

const NOT_IMPLEMENTED = 501;
const NO_HEADERS: AnswerHeaders = new Map();
const ABORTED = new UpstreamFault("cancelled", "did not respond: the request was cancelled");

/** `handler` may receive a fault before this returns. */
export function startExchange(
  wire: Wire,
  message: WireMessage,
  limits: ExchangeLimits,
  handler: ExchangeHandler,
): Exchange {
  const exchange = new Exchange(wire, limits.maxBytes, handler);
  wire.send(message, limits.idleMs, exchange, limits.firstByteMs);
  return exchange;
}

/** What a plain response to the request for a stream means: some statuses may change soon, others mean there is none. */
export function streamRefusal(status: number): "never" | "broken" {
  const isTemporary = status === 408 || status === 429 || (status >= 500 && status !== NOT_IMPLEMENTED);
  return isTemporary ? "broken" : "never";
}

export class Exchange implements WireHandler {
  /** True when the request began to leave: the upstream may have executed it. */
  started = false;
  /** True when the connection is free or closed. */
  ended = false;
  headers: AnswerHeaders = NO_HEADERS;

  readonly #wire: Wire;
  readonly #maxBytes: number;
  readonly #handler: ExchangeHandler;
  #control: WireControl | undefined;
  #settled = false;
  #isReaderBehind = false;
  /** Whether memory for the response, or for the current event, was requested. */
  #isCounted = false;
  #waitsForMemory = false;
  #length: number | undefined;
  #status = 0;
  #json = false;
  #sse: SseParser | undefined;
  readonly #body = new ChunkList();
  /** Of a plain response that is not JSON. */
  #droppedBytes = 0;

  constructor(wire: Wire, maxBytes: number, handler: ExchangeHandler) {
    this.#wire = wire;
    this.#maxBytes = maxBytes;
    this.#handler = handler;
  }

  /** Discards the rest of the response. The caller makes sure that it ends. */
  ignore(): void {
    this.#settled = true;
  }

  /** Closes the exchange; the handler receives only `closed`. */
  abort(): void {
    this.#settled = true;
    if (this.#control) return this.#control.abort(this, ABORTED);
    if (!this.#wire.forget(this)) return;
    this.ended = true;
    this.#handler.closed?.();
  }

  pause(): void {
    this.#isReaderBehind = true;
    this.#control?.pause(this);
  }

  resume(): void {
    this.#isReaderBehind = false;
    if (!this.#waitsForMemory) this.#control?.resume(this);
  }

  /** For a caller that waits for a person and enforces another deadline. */
  disableIdleTimeout(): void {
    this.#control?.setIdleTimeout(this, Number.POSITIVE_INFINITY);
  }

  start(control: WireControl): void {
    this.started = true;
    this.#control = control;
  }

  head({ status, headers, length }: AnswerHead): void {
    this.#status = status;
    this.headers = headers;
    const encoding = headers.get("content-encoding");
    if (encoding !== undefined && encoding !== "identity") {
      return this.#fail(new UpstreamFault("bad-answer", "sent an encoded response although identity was requested"));
    }
    const type = (headers.get("content-type") ?? "").toLowerCase();
    if (type.startsWith("text/event-stream") && status === 200) {
      this.#handler.opened?.();
      this.#sse = new SseParser(this.#maxBytes, (data) => {
        this.#arrived(data.length);
        if (!this.#settled) this.#handler.event(data);
      });
      return;
    }
    this.#json = type.startsWith("application/json");
    if (typeof length !== "number") return;
    this.#length = length;
    if (length > this.#maxBytes) this.#fail(tooLarge());
  }

  data(chunk: Buffer): void {
    if (this.#settled) return;
    if (this.#sse) this.#pushEvents(this.#sse, chunk);
    else if (this.#json) this.#body.push(chunk);
    else this.#droppedBytes += chunk.length;
    if (this.#body.exceeds(this.#maxBytes) || this.#droppedBytes > this.#maxBytes) this.#fail(tooLarge());
    else if (!this.#isCounted && (this.#sse?.pendingBytes ?? this.#body.bytes) > UNCOUNTED_BYTES) this.#count();
  }

  end(): void {
    this.ended = true;
    if (this.#settled) return this.#handler.closed?.();
    this.#settled = true;
    this.#arrived(this.#body.bytes);
    if (this.#sse) this.#handler.streamEnd(this.#sse.lastEventId, this.#sse.retryMs);
    else this.#handler.answer(this.#status, this.#json, this.#body.chunks);
  }

  failed(error: unknown): void {
    this.ended = true;
    if (this.#settled) return this.#handler.closed?.();
    this.#settled = true;
    const fault = faultOfError(error);
    this.#handler.fault(this.started ? fault : fault.of({ sent: false }));
  }

  #pushEvents(parser: SseParser, chunk: Buffer): void {
    try {
      parser.push(chunk);
    } catch (error) {
      if (!(error instanceof SseOverflow)) throw error;
      this.#fail(tooLarge());
    }
  }

  /** Takes memory for the whole response, because responses that each hold a part would wait for each other. */
  #count(): void {
    this.#isCounted = true;
    const { memory } = this.#handler;
    const bytes = this.#length ?? this.#maxBytes;
    if (!memory || memory.grow(bytes)) return;
    this.#waitsForMemory = true;
    this.#control?.pause(this);
    memory.growLater(bytes, (granted) => {
      this.#waitsForMemory = false;
      if (!granted && !this.#settled) this.#fail(noMemory());
      else if (!this.#isReaderBehind) this.#control?.resume(this);
    });
  }

  /** The size of the response, or of the current event, is known. */
  #arrived(bytes: number): void {
    if (!this.#isCounted) return;
    this.#isCounted = false;
    this.#handler.memory?.shrink(bytes);
  }

  #fail(fault: UpstreamFault): void {
    this.#settled = true;
    this.#handler.fault(fault);
    this.#control?.abort(this, fault);
  }
}

export function noMemory(): UpstreamFault {
  return new UpstreamFault("busy", "sent a large response while too many others were in progress; try again later");
}

function tooLarge(): UpstreamFault {
  return new UpstreamFault("too-large", "sent a response that is too large");
}
