/**
 * Multiplexes the requests to an upstream over one pipe of messages: HTTP+SSE and stdio. Responses are matched by our
 * ids (GW-3), and a message that names no request is delivered to no call of another client (GW-2).
 */
import type { AnswerHeaders } from "#egress/egress";
import type { Clock, Timer } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { LARGE_TEXT_BYTES } from "#lib/json/scan-in-turns";
import type { Logger } from "#lib/logger";
import type { ReadLane } from "#lib/read-pacer";
import {
  readLargeResponse,
  readResponse,
  type UpstreamMessage,
  type UpstreamNotification,
  type UpstreamRequest,
} from "../../envelope/read-response.ts";
import type { Era } from "../../snapshot/shape.ts";
import { UpstreamFault } from "../failure.ts";
import type { Capabilities } from "../handshake/handshake.ts";
import { readListNotification } from "../listen/list-notification.ts";
import { cancellation, MAX_PENDING_REPLIES, replyTo } from "./json-rpc.ts";
import { SharedSubscriptions } from "./shared-subscriptions.ts";
import type { InFlightRequest, NotificationListener, UnclaimedMessages } from "./transport.ts";

/** Carries the messages in both directions and reports incoming ones to its channel. */
export interface Pipe {
  /** Calls `done` once when the message was accepted or failed, unless the returned function was called before. */
  send(message: Buffer, done: (fault: UpstreamFault | undefined) => void): () => void;
  close(): void;
  /** Delivers no more messages while it is paused, apart from those that it has received. Absent: it cannot be paused. */
  setPaused?(isPaused: boolean): void;
  /** Whether a pipe without any data while a response is due counts as dead. */
  readonly diesOfSilence: boolean;
  /** Where messages are posted, if they are. */
  readonly postPath?: string;
}

export interface ChannelHandler {
  /** Progress notifications, then one result or error. */
  message(message: UpstreamMessage): void;
  fault(fault: UpstreamFault): void;
  /** True if the caller received the request. */
  question?(message: UpstreamRequest): boolean;
}

export interface ChannelOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a request may wait without any data from the upstream. */
  readonly idleMs: number;
  /** Large messages are read in its turns. */
  readonly lane: ReadLane;
}

const IDLE_CHECK_MS = 5000;
const NO_HEADERS: AnswerHeaders = new Map();

export class Channel {
  /** Called once, when the pipe is gone. */
  onEnd: () => void = () => {};
  /** What the upstream declared in the handshake. */
  capabilities: Capabilities;
  instructions: string | undefined;
  /** The era that the handshake settled on. */
  era: Era = "legacy";
  /** All requests come from one client, so messages that name no request belong to that client. */
  hasOneClient = false;
  /** Requests of the upstream may be for a call. */
  acceptsQuestions = false;
  /** Receives the messages of that client that no request claims. */
  unclaimed: UnclaimedMessages | undefined;
  readonly subscriptions = new SharedSubscriptions();
  readonly #options: ChannelOptions;
  readonly #requests = new Map<string, ChannelRequest>();
  readonly #listeners = new Set<NotificationListener>();
  #pipe: Pipe | undefined;
  #endedWith: UpstreamFault | undefined;
  /** A large message is read in turns. Meanwhile later ones wait, and so does the end of the pipe. */
  #isReading = false;
  readonly #waiting: Buffer[] = [];
  #endsWith: UpstreamFault | undefined;
  /** When the last request was sent. */
  usedAt = 0;
  #aliveAt = 0;
  #pendingReplies = 0;
  #timer: Timer | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#requests.size;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Until the returned function is called. */
  listen(listener: NotificationListener): () => void {
    if (this.#endedWith) queueMicrotask(() => listener.ended("broken"));
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get postPath(): string | undefined {
    return this.#pipe?.postPath;
  }

  get isOpen(): boolean {
    return this.#endedWith === undefined;
  }

  /** Before anything is sent. */
  attach(pipe: Pipe): void {
    this.#pipe = pipe;
    if (this.#endedWith) pipe.close();
  }

  /** `handler` may receive a fault before this returns. */
  request(id: number, body: Buffer, handler: ChannelHandler): ChannelRequest {
    this.usedAt = this.#options.clock.monotonic();
    const request = new ChannelRequest(id, handler, this.usedAt, (done) => this.#forget(done));
    if (this.#endedWith || !this.#pipe) {
      request.fail((this.#endedWith ?? CLOSED).of({ sent: false }));
      return request;
    }
    this.#requests.set(request.rawId, request);
    request.unsend = this.#pipe.send(body, (fault) => fault && request.fail(fault));
    this.#scheduleIdleCheck();
    return request;
  }

  /** Sends a message that has no response. Resolves when it was accepted or failed. */
  notify(body: Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#endedWith || !this.#pipe) resolve();
      else this.#pipe.send(body, () => resolve());
    });
  }

  /** From the pipe: one message. Messages are handled in the order of their arrival. */
  received(data: Buffer): void {
    if (this.#isReading) this.#waiting.push(data);
    else if (data.length < LARGE_TEXT_BYTES) this.#handle(readResponse(data));
    else this.#readInTurns(data);
  }

  #readInTurns(data: Buffer): void {
    this.#isReading = true;
    this.#pipe?.setPaused?.(true);
    readLargeResponse(new ByteSource(data), this.#options.lane, (message) => {
      this.#isReading = false;
      if (!this.#endedWith) this.#handle(message);
      for (const waiting of this.#waiting.splice(0)) this.received(waiting);
      if (this.#isReading) return;
      this.#pipe?.setPaused?.(false);
      if (this.#endsWith) this.ended(this.#endsWith);
    });
  }

  #handle(message: UpstreamMessage): void {
    if (message.kind === "request") this.#receivedRequest(message);
    else if (message.kind === "invalid") {
      this.#options.logger.debug({ reason: message.reason }, "an upstream sent something that is not MCP");
    } else if (message.kind !== "notification") {
      const request = this.#requests.get(message.rawId ?? "");
      request?.ignore();
      request?.handler.message(message);
    } else if (message.progressToken) {
      // Our progress token is our id.
      const request = this.#requests.get(message.source.text(message.progressToken));
      if (!request) return;
      request.lastDataAt = this.#options.clock.monotonic();
      if (!request.paused) request.handler.message(message);
    } else this.#receivedNotification(message);
  }

  /** A notification that names no request, such as a log message, may belong to another caller. */
  #receivedNotification(message: UpstreamNotification): void {
    const notification = readListNotification(message);
    // In the modern era it names the request that subscribed to it.
    const subscriber =
      notification && this.era === "modern" ? this.#requests.get(String(notification.subscription)) : undefined;
    if (subscriber) return subscriber.handler.message(message);
    if (notification) for (const listener of this.#listeners) listener.received(notification);
    if (this.hasOneClient) {
      // Requests of the gateway itself have no caller.
      const newest = [...this.#requests.values()].findLast(({ handler }) => handler.question);
      if (newest && !newest.paused) newest.handler.message(message);
      if (!newest || message.method === "notifications/cancelled") this.unclaimed?.notification(message);
    }
  }

  /** It does not name the request that caused it, so the newest request whose caller accepts it takes it. */
  #receivedRequest(request: UpstreamRequest): void {
    const open = this.acceptsQuestions && request.method !== "ping" ? [...this.#requests.values()].reverse() : [];
    if (!open.some(({ handler }) => handler.question?.(request))) {
      if (!this.hasOneClient || request.method === "ping" || !this.unclaimed?.question(request)) this.#reply(request);
      return;
    }
    // Any of them may be the one that waits for the response.
    for (const each of open) each.disableIdleTimeout();
  }

  #reply(request: UpstreamRequest): void {
    if (this.#pendingReplies >= MAX_PENDING_REPLIES) return;
    this.#pendingReplies++;
    void this.notify(replyTo(request)).then(() => this.#pendingReplies--);
  }

  /** From the pipe: the response to this request arrived and cannot be used. */
  failed(rawId: string, fault: UpstreamFault): void {
    this.#requests.get(rawId)?.fail(fault);
  }

  /** From the pipe: data arrived. */
  alive(): void {
    this.#aliveAt = this.#options.clock.monotonic();
  }

  /** From the pipe: it is gone. Requests without a response may have been executed, so nothing is sent again (GW-14). */
  ended(fault: UpstreamFault): void {
    if (this.#endedWith) return;
    // The message that is being read may be the response to a request.
    if (this.#isReading) {
      this.#endsWith ??= fault;
      return;
    }
    this.#endedWith = fault;
    this.#timer?.cancel();
    for (const request of [...this.#requests.values()]) request.fail(fault.of({ sent: true }));
    this.onEnd();
    for (const listener of this.#listeners) listener.ended("broken");
    this.#listeners.clear();
  }

  close(): void {
    this.#isReading = false;
    this.ended(CLOSED);
    this.#pipe?.close();
  }

  #forget(request: ChannelRequest): void {
    this.#requests.delete(request.rawId);
    if (this.#requests.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #scheduleIdleCheck(): void {
    const { clock, idleMs } = this.#options;
    this.#timer ??= clock.after(Math.min(idleMs, IDLE_CHECK_MS), () => {
      this.#timer = undefined;
      this.#failIdleRequests(clock.monotonic() - idleMs);
      if (this.#requests.size > 0) this.#scheduleIdleCheck();
    });
  }

  #failIdleRequests(limit: number): void {
    let dead = false;
    for (const request of [...this.#requests.values()]) {
      if (request.hasNoIdleTimeout || Math.max(request.lastDataAt, this.#aliveAt) > limit) continue;
      dead ||= this.#aliveAt < request.lastDataAt;
      void this.notify(cancellation(request.id));
      request.fail(IDLE);
    }
    if (dead && this.#pipe?.diesOfSilence) this.close();
  }
}

/** One request on a channel. */
export class ChannelRequest implements InFlightRequest {
  readonly started = true;
  ended = false;
  readonly headers = NO_HEADERS;
  readonly id: number;
  readonly rawId: string;
  readonly handler: ChannelHandler;
  lastDataAt: number;
  paused = false;
  hasNoIdleTimeout = false;
  unsend: () => void = () => {};
  readonly #forget: (request: ChannelRequest) => void;

  constructor(id: number, handler: ChannelHandler, now: number, forget: (request: ChannelRequest) => void) {
    this.id = id;
    this.rawId = String(id);
    this.handler = handler;
    this.lastDataAt = now;
    this.#forget = forget;
  }

  ignore(): void {
    this.ended = true;
    this.#forget(this);
  }

  abort(): void {
    if (this.ended) return;
    this.ignore();
    this.unsend();
  }

  /** Other requests share the pipe, so it is not stopped: progress is dropped until the caller has caught up (GW-10). */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  disableIdleTimeout(): void {
    this.hasNoIdleTimeout = true;
  }

  fail(fault: UpstreamFault): void {
    if (this.ended) return;
    this.ignore();
    this.handler.fault(fault);
  }
}

const CLOSED = new UpstreamFault("cancelled", "did not respond: its session was closed");
const IDLE = new UpstreamFault("timeout", "did not respond in time");
