/**
 * The pipe of the HTTP+SSE transport (MCP 2024-11-05): a GET opens an event stream, whose first event names the URL to
 * post messages to. All messages of the upstream arrive on that stream. One stream is one upstream session.
 */
import type { AnswerHead, AnswerHeaders, Wire, WireControl, WireHandler } from "#egress/egress";
import { SseOverflow, SseParser } from "#lib/sse";
import { faultOfError, faultOfStatus, UpstreamFault } from "../failure.ts";
import { HANDSHAKE_MS, isUnrelatedToEras } from "../handshake/handshake.ts";
import type { Channel, Pipe } from "./channel.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Exchange, type ExchangeHandler, startExchange } from "./exchange.ts";
import { postHeaders, streamHeaders } from "./headers.ts";

/** Longer than a stream without calls is kept; calls have their own deadline. */
const STREAM_IDLE_MS = 60 * 60 * 1000;
const MAX_POST_URL_LENGTH = 4096;
const ACCEPTANCE_BYTES = 64 * 1024;

/** Resolves to false when there is no such stream at the URL. Rejects with UpstreamFault. */
export async function attachSsePipe(endpoint: Endpoint, channel: Channel, limits: SseLimits): Promise<boolean> {
  const stream = new EventStream(endpoint, channel, limits);
  const path = await stream.open();
  if (path === undefined) return false;
  channel.attach(new SsePipe(endpoint, path, channel, stream, limits));
  return true;
}

export interface SseLimits {
  readonly idleMs: number;
  /** Of one event (GW-10). */
  readonly maxBytes: number;
}

class SsePipe implements Pipe {
  readonly diesOfSilence = true;
  readonly #endpoint: Endpoint;
  readonly postPath: string;
  /** Built from the extra headers of the endpoint, and again when those were renewed. */
  #headers: readonly string[];
  #builtFrom: readonly string[];
  readonly #channel: Channel;
  readonly #stream: EventStream;
  readonly #limits: SseLimits;

  constructor(endpoint: Endpoint, path: string, channel: Channel, stream: EventStream, limits: SseLimits) {
    this.#endpoint = endpoint;
    this.postPath = path;
    this.#builtFrom = endpoint.extraHeaders;
    this.#headers = postHeaders(endpoint.extraHeaders);
    this.#channel = channel;
    this.#stream = stream;
    this.#limits = limits;
  }

  send(body: Buffer, done: (fault: UpstreamFault | undefined) => void): () => void {
    const { extraHeaders } = this.#endpoint;
    if (extraHeaders !== this.#builtFrom) {
      this.#builtFrom = extraHeaders;
      this.#headers = postHeaders(extraHeaders);
    }
    const message = { method: "POST", path: this.postPath, headers: this.#headers, body } as const;
    const handler: ExchangeHandler = {
      event() {},
      answer: (status) => done(this.#faultOf(status, exchange?.headers)),
      streamEnd: () => done(undefined),
      fault: done,
    };
    let exchange: Exchange | undefined;
    try {
      const limits = { idleMs: this.#limits.idleMs, maxBytes: ACCEPTANCE_BYTES };
      exchange = startExchange(this.#endpoint.wire(), message, limits, handler);
      return () => exchange?.abort();
    } catch (error) {
      done(faultOfError(error));
      return () => {};
    }
  }

  close(): void {
    this.#stream.close();
  }

  setPaused(isPaused: boolean): void {
    this.#stream.setPaused(isPaused);
  }

  /** 404: the upstream no longer knows the session, so nothing was executed and a new stream may be opened. */
  #faultOf(status: number, headers: AnswerHeaders | undefined): UpstreamFault | undefined {
    if (status >= 200 && status < 300) return undefined;
    if (status !== 404) return faultOfStatus(status, headers);
    // After the fault of this message, which differs from the fault of the others.
    queueMicrotask(() => {
      this.#channel.ended(faultOfStatus(404));
      this.close();
    });
    return new UpstreamFault("unreachable", "no longer knows its session", { nothingSent: true });
  }
}

class EventStream implements WireHandler {
  readonly #endpoint: Endpoint;
  readonly #channel: Channel;
  readonly #parser: SseParser;
  readonly #opened = Promise.withResolvers<string | undefined>();
  #wire: Wire | undefined;
  #control: WireControl | undefined;
  #hasPostUrl = false;
  #ended = false;

  constructor(endpoint: Endpoint, channel: Channel, limits: SseLimits) {
    this.#endpoint = endpoint;
    this.#channel = channel;
    this.#parser = new SseParser(
      limits.maxBytes,
      (data) => channel.received(data),
      (type, data) => type === "endpoint" && this.#receivedPostUrl(data.toString("utf8")),
    );
  }

  /** Resolves to the path to post to; undefined when there is no such stream. */
  async open(): Promise<string | undefined> {
    const { clock, path, wire, extraHeaders } = this.#endpoint;
    const timer = clock.after(HANDSHAKE_MS, () => this.#end(new UpstreamFault("timeout", "did not respond in time")));
    try {
      const message = { method: "GET", path, headers: streamHeaders(extraHeaders), body: null } as const;
      this.#wire = wire();
      this.#wire.send(message, STREAM_IDLE_MS, this);
      return await this.#opened.promise;
    } finally {
      timer.cancel();
    }
  }

  close(): void {
    this.#end(new UpstreamFault("cancelled", "did not respond: its session was closed"));
  }

  setPaused(isPaused: boolean): void {
    if (isPaused) this.#control?.pause(this);
    else this.#control?.resume(this);
  }

  start(control: WireControl): void {
    this.#control = control;
  }

  head({ status, headers }: AnswerHead): void {
    const type = (headers.get("content-type") ?? "").toLowerCase();
    const encoding = headers.get("content-encoding") ?? "identity";
    if (isUnrelatedToEras(status)) this.#end(faultOfStatus(status, headers));
    else if (status !== 200 || !type.startsWith("text/event-stream")) this.#endWithoutStream();
    else if (encoding !== "identity") {
      this.#end(new UpstreamFault("bad-answer", "sent an encoded response although identity was requested"));
    }
  }

  data(chunk: Buffer): void {
    if (this.#ended) return;
    this.#channel.alive();
    try {
      this.#parser.push(chunk);
    } catch (error) {
      if (!(error instanceof SseOverflow)) throw error;
      this.#end(new UpstreamFault("too-large", "sent a response that is too large"));
    }
  }

  end(): void {
    this.#end(new UpstreamFault("unreachable", "closed its event stream before it responded"));
  }

  failed(error: unknown): void {
    this.#end(faultOfError(error));
  }

  /** Only the first one counts. It must have the same origin: the egress rules and the credential are for that origin. */
  #receivedPostUrl(text: string): void {
    if (this.#hasPostUrl) return;
    this.#hasPostUrl = true;
    const own = new URL(this.#endpoint.path, this.#endpoint.origin);
    const url = text.length > MAX_POST_URL_LENGTH ? null : URL.parse(text.trim(), own.href);
    if (url?.origin !== own.origin || url.username || url.password) {
      this.#end(new UpstreamFault("bad-answer", "sent a URL to post to that has another origin"));
    } else this.#opened.resolve(url.pathname + url.search);
  }

  #endWithoutStream(): void {
    this.#opened.resolve(undefined);
    this.#end(new UpstreamFault("bad-answer", "has no event stream"));
  }

  #end(fault: UpstreamFault): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#opened.reject(fault);
    this.#channel.ended(fault);
    if (this.#control) this.#control.abort(this, fault);
    else this.#wire?.forget(this);
  }
}
