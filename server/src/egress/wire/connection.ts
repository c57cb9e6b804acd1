import type { Socket } from "node:net";
import type { Clock, Timer } from "#lib/clock";
import { EgressFailure } from "../failure.ts";
import type { AnswerHead } from "./answer-head.ts";
import { AnswerReader, type AnswerSink } from "./answer-reader.ts";

/** Hears of one exchange: `head`, any number of `data`, then one of `end` and `failed`. */
export interface WireHandler {
  /** The request leaves now. */
  start(control: WireControl): void;
  head(head: AnswerHead): void;
  data(chunk: Buffer): void;
  end(): void;
  failed(error: unknown): void;
}

/** For the handler that it was given to, until that one has heard `end` or `failed`; for any other it does nothing. */
export interface WireControl {
  /** Gives the exchange up, and with it the connection; the handler hears `failed` with the reason. */
  abort(handler: WireHandler, reason: Error): void;
  pause(handler: WireHandler): void;
  resume(handler: WireHandler): void;
  /** Sets how long the connection may stay idle from now on. */
  setIdleTimeout(handler: WireHandler, idleMs: number): void;
}

export interface WireRequest {
  /** Request line and headers but for Content-Length and the empty line, as latin1 text. */
  readonly head: string;
  readonly body: Buffer | null;
  /** Silence before the answer. */
  readonly firstByteMs: number;
  /** Silence between two pieces of it. */
  readonly idleMs: number;
}

export interface ConnectionOwner {
  /** The connection can take the next request. */
  free(connection: Connection): void;
  gone(connection: Connection): void;
}

/** Many servers close idle connections after 5 s without saying so, and a call is never sent twice (GW-14). */
export const KEEP_ALIVE_MS = 4_000;
const LONGEST_KEEP_MS = 60_000;
/** How often a connection is looked at. */
const LOOK_MS = 4_000;
/** Up to this size head and body leave as one text in one write; latin1 maps bytes one to one, whatever they mean. */
const ONE_WRITE_BYTES = 16 * 1024;

/** One connection to an origin, and the exchange that is on it. */
export class Connection implements WireControl, AnswerSink {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #owner: ConnectionOwner;
  readonly #reader = new AnswerReader(this);
  #handler: WireHandler | undefined;
  /** The silence that is borne now, and from the head of the answer on. */
  #patienceMs = 0;
  #idleMs = 0;
  #heardAt = 0;
  #timer: Timer | undefined;
  #timerAt = 0;
  #keepMs = KEEP_ALIVE_MS;
  #freeUntil: number;
  #over = false;

  constructor(socket: Socket, clock: Clock, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#clock = clock;
    this.#owner = owner;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("end", () => this.#peerEnded());
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
    this.#freeUntil = clock.monotonic() + KEEP_ALIVE_MS;
    this.#lookAfter(KEEP_ALIVE_MS);
  }

  /** True while the peer can be trusted to keep it open. */
  usable(now: number): boolean {
    return !this.#over && now < this.#freeUntil;
  }

  send(request: WireRequest, handler: WireHandler): void {
    this.#handler = handler;
    handler.start(this);
    this.#reader.expect();
    this.#heardAt = this.#clock.monotonic();
    this.#idleMs = request.idleMs;
    this.#setTimeout(request.firstByteMs);
    this.#write(request);
  }

  #setTimeout(silenceMs: number): void {
    this.#patienceMs = silenceMs;
    if (this.#heardAt + silenceMs < this.#timerAt) this.#lookAfter(silenceMs);
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
    this.#keepMs = head.length === "until-close" ? 0 : Math.min(head.keepMs ?? KEEP_ALIVE_MS, LONGEST_KEEP_MS);
    if (this.#patienceMs !== this.#idleMs) this.#setTimeout(this.#idleMs);
    this.#handler?.head(head);
  }

  data(chunk: Buffer): void {
    this.#handler?.data(chunk);
  }

  end(clean: boolean): void {
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.end();
    if (this.#over) return;
    // An answer that came before its request had left: the next one would wait behind what the peer may never read.
    if (!clean || this.#keepMs === 0 || this.#socket.writableLength > 0) return this.destroy();
    this.#freeUntil = this.#heardAt + this.#keepMs;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#owner.free(this);
  }

  abort(handler: WireHandler, reason: Error): void {
    if (this.#handler === handler) this.destroy(reason);
  }

  pause(handler: WireHandler): void {
    if (this.#handler === handler) this.#socket.pause();
  }

  resume(handler: WireHandler): void {
    if (this.#handler !== handler) return;
    this.#heardAt = this.#clock.monotonic();
    this.#socket.resume();
  }

  setIdleTimeout(handler: WireHandler, idleMs: number): void {
    if (this.#handler === handler) this.#idleMs = idleMs;
  }

  /** Whoever has an exchange on it hears of the reason; without one, the peer hung up. */
  destroy(reason?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer?.cancel();
    this.#socket.destroy();
    const handler = this.#handler;
    this.#handler = undefined;
    this.#owner.gone(this);
    handler?.failed(
      reason ?? new EgressFailure("reset", "the host closed the connection before its answer was complete"),
    );
  }

  #receive(chunk: Buffer): void {
    if (this.#over) return;
    this.#heardAt = this.#clock.monotonic();
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.destroy(error);
    }
  }

  #peerEnded(): void {
    if (!this.#reader.close()) this.destroy();
  }

  /** One timer per connection, moved on when it strikes: moving it at each piece would cost every one of them. */
  #lookAfter(delayMs: number): void {
    this.#timer?.cancel();
    const delay = Math.min(delayMs, LOOK_MS);
    this.#timerAt = this.#clock.monotonic() + delay;
    this.#timer = this.#clock.after(delay, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.monotonic();
    // What we do not want to read is no silence of the peer's.
    if (this.#handler && this.#socket.isPaused()) this.#heardAt = now;
    const limit = this.#handler ? this.#heardAt + this.#patienceMs : this.#freeUntil;
    if (now < limit) this.#lookAfter(limit - now);
    else this.destroy(new EgressFailure("timeout", "the host did not answer in time"));
  }
}
