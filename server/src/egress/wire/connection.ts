import type { Socket } from "node:net";
import type { Clock, Timer } from "#lib/clock";
import { PacedReader, type PacedSource, type ReadLane } from "#lib/read-pacer";
import { EgressFailure } from "../failure.ts";
import type { AnswerHead } from "./answer-head.ts";
import { AnswerReader, type AnswerSink } from "./answer-reader.ts";

/** Receives one exchange: `head`, any number of `data`, then one of `end` and `failed`. */
export interface WireHandler {
  /** The request is sent now. */
  start(control: WireControl): void;
  head(head: AnswerHead): void;
  data(chunk: Buffer): void;
  end(): void;
  failed(error: unknown): void;
}

/** Works only for the handler of the current exchange, until it receives `end` or `failed`. */
export interface WireControl {
  /** Ends the exchange and closes the connection; the handler receives `failed` with the reason. */
  abort(handler: WireHandler, reason: Error): void;
  pause(handler: WireHandler): void;
  resume(handler: WireHandler): void;
  /** Sets how long the connection may stay idle from now on. */
  setIdleTimeout(handler: WireHandler, idleMs: number): void;
}

export interface WireRequest {
  /** Request line and headers without Content-Length and the empty line, as latin1 text. */
  readonly head: string;
  readonly body: Buffer | null;
  /** The longest wait for the first byte of the response. */
  readonly firstByteMs: number;
  /** The longest pause between two chunks of it. */
  readonly idleMs: number;
}

export interface ConnectionOwner {
  /** The connection can carry the next request. */
  free(connection: Connection): void;
  gone(connection: Connection): void;
}

/** Many servers close idle connections after 5 s without announcing it, and a call is never sent twice (GW-14). */
export const KEEP_ALIVE_MS = 4_000;
const MAX_KEEP_ALIVE_MS = 60_000;
/** The longest interval between two checks of a connection. */
const CHECK_MS = 4_000;
/** Up to this size head and body are one string in one write; latin1 maps each byte to one character. */
const ONE_WRITE_BYTES = 16 * 1024;

/** One connection to an origin, and its current exchange. */
export class Connection implements WireControl, AnswerSink, PacedSource {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #owner: ConnectionOwner;
  readonly #reader = new AnswerReader(this);
  readonly #paced: PacedReader;
  #isPausedByHandler = false;
  #hasPeerEnded = false;
  #handler: WireHandler | undefined;
  /** The idle timeout now, and after the head of the response. */
  #timeoutMs = 0;
  #idleMs = 0;
  #lastDataAt = 0;
  #timer: Timer | undefined;
  #timerAt = 0;
  #keepMs = KEEP_ALIVE_MS;
  #freeUntil: number;
  #closed = false;

  constructor(socket: Socket, clock: Clock, lane: ReadLane, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#clock = clock;
    this.#paced = new PacedReader(lane, this);
    this.#owner = owner;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("end", () => this.#peerEnded());
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.#peerClosed());
    this.#freeUntil = clock.monotonic() + KEEP_ALIVE_MS;
    this.#checkAfter(KEEP_ALIVE_MS);
  }

  /** True while the peer is expected to keep it open. */
  usable(now: number): boolean {
    return !this.#closed && now < this.#freeUntil;
  }

  send(request: WireRequest, handler: WireHandler): void {
    this.#handler = handler;
    handler.start(this);
    this.#reader.expect();
    this.#lastDataAt = this.#clock.monotonic();
    this.#paced.restart(this.#lastDataAt);
    this.#idleMs = request.idleMs;
    this.#setTimeout(request.firstByteMs);
    this.#write(request);
  }

  #setTimeout(timeoutMs: number): void {
    this.#timeoutMs = timeoutMs;
    if (this.#lastDataAt + timeoutMs < this.#timerAt) this.#checkAfter(timeoutMs);
  }

  #write({ head, body }: WireRequest): void {
    const socket = this.#socket;
    if (body === null) return void socket.write(`${head}\r\n`, "latin1");
    const wholeHead = `${head}content-length: ${body.length}\r\n\r\n`;
    if (body.length <= ONE_WRITE_BYTES) return void socket.write(wholeHead + body.toString("latin1"), "latin1");
    socket.cork();
    socket.write(wholeHead, "latin1");
    socket.write(body);
    socket.uncork();
  }

  head(head: AnswerHead): void {
    this.#keepMs = head.length === "until-close" ? 0 : Math.min(head.keepMs ?? KEEP_ALIVE_MS, MAX_KEEP_ALIVE_MS);
    if (this.#timeoutMs !== this.#idleMs) this.#setTimeout(this.#idleMs);
    this.#handler?.head(head);
  }

  data(chunk: Buffer): void {
    this.#handler?.data(chunk);
  }

  end(clean: boolean): void {
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.end();
    if (this.#closed) return;
    // The response came before the request was written completely: the peer may never read the rest.
    const isReusable = clean && !this.#paced.isWaiting && !this.#hasPeerEnded;
    if (!isReusable || this.#keepMs === 0 || this.#socket.writableLength > 0) return this.destroy();
    this.#freeUntil = this.#lastDataAt + this.#keepMs;
    this.#isPausedByHandler = false;
    this.#paced.paused = false;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#owner.free(this);
  }

  abort(handler: WireHandler, reason: Error): void {
    if (this.#handler === handler) this.destroy(reason);
  }

  pause(handler: WireHandler): void {
    if (this.#handler !== handler) return;
    this.#isPausedByHandler = true;
    this.#paced.paused = true;
    this.#socket.pause();
  }

  resume(handler: WireHandler): void {
    if (this.#handler !== handler) return;
    this.#lastDataAt = this.#clock.monotonic();
    this.#isPausedByHandler = false;
    this.#paced.paused = false;
    if (!this.#paced.isWaiting) this.#socket.resume();
  }

  setIdleTimeout(handler: WireHandler, idleMs: number): void {
    if (this.#handler === handler) this.#idleMs = idleMs;
  }

  /** The current exchange fails with the reason; without one, the peer closed the connection. */
  destroy(reason?: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#socket.destroy();
    const handler = this.#handler;
    this.#handler = undefined;
    this.#owner.gone(this);
    handler?.failed(
      reason ?? new EgressFailure("reset", "the host closed the connection before its response was complete"),
    );
  }

  #receive(chunk: Buffer): void {
    if (this.#closed) return;
    this.#lastDataAt = this.#clock.monotonic();
    this.#paced.push(chunk, this.#lastDataAt);
  }

  read(piece: Buffer): void {
    if (this.#closed) return;
    try {
      this.#reader.push(piece);
    } catch (error) {
      this.destroy(error);
    }
  }

  onWaiting(isWaiting: boolean): void {
    if (this.#closed) return;
    if (isWaiting) this.#socket.pause();
    else if (this.#hasPeerEnded) this.#peerEnded();
    else if (!this.#isPausedByHandler) this.#socket.resume();
  }

  /** What the peer sent before it closed the connection is processed first. */
  #peerEnded(): void {
    this.#hasPeerEnded = true;
    if (!this.#paced.isWaiting && !this.#reader.close()) this.destroy();
  }

  #peerClosed(): void {
    if (!this.#hasPeerEnded || !this.#paced.isWaiting) this.destroy();
  }

  /** One timer per connection, extended when it fires: extending it at each chunk would be too expensive. */
  #checkAfter(delayMs: number): void {
    this.#timer?.cancel();
    const delay = Math.min(delayMs, CHECK_MS);
    this.#timerAt = this.#clock.monotonic() + delay;
    this.#timer = this.#clock.after(delay, () => this.#check());
  }

  #check(): void {
    const now = this.#clock.monotonic();
    // A paused socket does not count as an idle peer.
    if (this.#handler && this.#socket.isPaused()) this.#lastDataAt = now;
    const limit = this.#handler ? this.#lastDataAt + this.#timeoutMs : this.#freeUntil;
    if (now < limit) this.#checkAfter(limit - now);
    else this.destroy(new EgressFailure("timeout", "the host did not respond in time"));
  }
}
