/**
 * One pipe of messages to an upstream and back, shared by the requests on it: the old HTTP+SSE transport and stdio.
 * Answers are told apart by our ids (GW-3), and nothing is handed to anybody that does not name his request (GW-2).
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { errorBody, METHOD_NOT_FOUND, resultBody } from "../../envelope/errors.ts";
import {
  readResponse,
  type UpstreamMessage,
  type UpstreamNotification,
  type UpstreamRequest,
} from "../../envelope/read-response.ts";
import type { Era } from "../../snapshot/shape.ts";
import { UpstreamFault } from "../failure.ts";
import { type ListNotification, readListNotification } from "../listen/list-notification.ts";
import { SharedSubscriptions } from "../sessions/shared-subscriptions.ts";
import { jsonRpc } from "./json-rpc.ts";

/** What carries the messages. It tells its channel of what comes back. */
export interface Pipe {
  /** `done` hears once whether the message was taken, not after the function that is given back was called. */
  send(message: Buffer, done: (fault: UpstreamFault | undefined) => void): () => void;
  close(): void;
  /** Whether a pipe on which nothing came while an answer was due is taken for dead. */
  readonly diesOfSilence: boolean;
  /** Where its messages are posted, when they are. */
  readonly postPath?: string;
}

export interface ChannelHandler {
  /** Notifications of progress, then one result or error. */
  message(message: UpstreamMessage): void;
  fault(fault: UpstreamFault): void;
  /** Whether the caller was asked this. */
  question?(message: UpstreamRequest): boolean;
}

export interface ChannelOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Silence before an answer. */
  readonly idleMs: number;
}

/** Where in a session goes what none of its calls takes. */
export interface UnclaimedMessages {
  /** False: nobody was asked. */
  question(message: UpstreamRequest): boolean;
  notification(message: UpstreamNotification): void;
}

const LOOK_MS = 5000;
/** Hears what the upstream says to all who are on the pipe. */
export interface NotificationListener {
  heard(news: ListNotification): void;
  /** What carries it broke and is there again. */
  reopened?(): void;
  ended(): void;
}

/** An upstream that asks without end and takes no answer must not make them pile up here (GW-10). */
export const MAX_ANSWERS_UNDER_WAY = 16;

export class Channel {
  /** Called once, when the pipe is gone. */
  onEnd: () => void = () => {};
  /** What the upstream says that it offers; undefined until the handshake, or when it did not say. */
  capabilities: Readonly<Record<string, unknown>> | undefined;
  /** What its handshake came to. */
  era: Era = "legacy";
  /** All that is asked on it comes from one client: what names no request is for that client, too. */
  ofOneSession = false;
  /** Where of that goes what no request takes. */
  unclaimed: UnclaimedMessages | undefined;
  /** Legacy: the resources of which those who listen want to hear. */
  readonly subscriptions = new SharedSubscriptions();
  readonly #options: ChannelOptions;
  readonly #requests = new Map<string, ChannelRequest>();
  readonly #ears = new Set<NotificationListener>();
  #pipe: Pipe | undefined;
  #over: UpstreamFault | undefined;
  /** When something was last asked of it. */
  usedAt = 0;
  #aliveAt = 0;
  #answering = 0;
  #timer: Timer | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#requests.size;
  }

  /** Whether somebody listens though nothing is asked. */
  get isHeard(): boolean {
    return this.#ears.size > 0;
  }

  /** Until what is given back is called. */
  listen(ear: NotificationListener): () => void {
    if (this.#over) queueMicrotask(() => ear.ended());
    else this.#ears.add(ear);
    return () => void this.#ears.delete(ear);
  }

  get postPath(): string | undefined {
    return this.#pipe?.postPath;
  }

  get isOpen(): boolean {
    return this.#over === undefined;
  }

  /** Before anything is sent. */
  attach(pipe: Pipe): void {
    this.#pipe = pipe;
    if (this.#over) pipe.close();
  }

  /** `handler` may hear of a fault before this returns. */
  request(id: number, body: Buffer, handler: ChannelHandler): ChannelRequest {
    this.usedAt = this.#options.clock.monotonic();
    const request = new ChannelRequest(id, handler, this.usedAt, (done) => this.#forget(done));
    if (this.#over || !this.#pipe) {
      request.fail((this.#over ?? CLOSED).of({ sent: false }));
      return request;
    }
    this.#requests.set(request.rawId, request);
    request.unsend = this.#pipe.send(body, (fault) => fault && request.fail(fault));
    this.#lookAgain();
    return request;
  }

  /** A message that expects no response; resolves when it was taken, or not. */
  notify(body: Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#over || !this.#pipe) resolve();
      else this.#pipe.send(body, () => resolve());
    });
  }

  /** From the pipe: one message. */
  received(data: Buffer): void {
    const message = readResponse(data);
    if (message.kind === "request") this.#asked(message);
    else if (message.kind === "invalid") {
      this.#options.logger.debug({ reason: message.reason }, "an upstream sent something that is not MCP");
    } else if (message.kind !== "notification") {
      const request = this.#requests.get(message.rawId ?? "");
      request?.ignore();
      request?.handler.message(message);
    } else if (message.progressToken) {
      // Our token is our id. What names no request, such as a line of a log, may be about another caller's.
      const request = this.#requests.get(message.source.text(message.progressToken));
      if (!request) return;
      request.heardAt = this.#options.clock.monotonic();
      if (!request.paused) request.handler.message(message);
    } else this.#heard(message);
  }

  /** It names no request. */
  #heard(message: UpstreamNotification): void {
    const news = readListNotification(message);
    // In the modern era it names who asked to hear it.
    const asked = news && this.era === "modern" ? this.#requests.get(String(news.subscription)) : undefined;
    if (asked) return asked.handler.message(message);
    if (news) for (const ear of this.#ears) ear.heard(news);
    if (this.ofOneSession) {
      // Questions of our own have no caller.
      const newest = [...this.#requests.values()].findLast(({ handler }) => handler.question);
      if (newest && !newest.paused) newest.handler.message(message);
      if (!newest || message.method === "notifications/cancelled") this.unclaimed?.notification(message);
    }
  }

  /** It does not say for which request it asks: the newest that can take the question does. */
  #asked(request: UpstreamRequest): void {
    const open = this.ofOneSession && request.method !== "ping" ? [...this.#requests.values()].reverse() : [];
    if (!open.some(({ handler }) => handler.question?.(request))) {
      if (!this.ofOneSession || request.method === "ping" || !this.unclaimed?.question(request)) this.#answer(request);
      return;
    }
    // Any of them may be the one that waits for the answer.
    for (const each of open) each.patient = true;
  }

  #answer(request: UpstreamRequest): void {
    if (this.#answering >= MAX_ANSWERS_UNDER_WAY) return;
    this.#answering++;
    void this.notify(answerTo(request)).then(() => this.#answering--);
  }

  /** From the pipe: the answer to this request came and cannot be used. */
  failed(rawId: string, fault: UpstreamFault): void {
    this.#requests.get(rawId)?.fail(fault);
  }

  /** From the pipe: a sign of life. */
  alive(): void {
    this.#aliveAt = this.#options.clock.monotonic();
  }

  /** From the pipe: it is gone. Whoever waits may have been served, so nothing is sent again (GW-14). */
  ended(fault: UpstreamFault): void {
    if (this.#over) return;
    this.#over = fault;
    this.#timer?.cancel();
    for (const request of [...this.#requests.values()]) request.fail(fault.of({ sent: true }));
    this.onEnd();
    for (const ear of this.#ears) ear.ended();
    this.#ears.clear();
  }

  close(): void {
    this.ended(CLOSED);
    this.#pipe?.close();
  }

  #forget(request: ChannelRequest): void {
    this.#requests.delete(request.rawId);
    if (this.#requests.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #lookAgain(): void {
    const { clock, idleMs } = this.#options;
    this.#timer ??= clock.after(Math.min(idleMs, LOOK_MS), () => {
      this.#timer = undefined;
      this.#failSilent(clock.monotonic() - idleMs);
      if (this.#requests.size > 0) this.#lookAgain();
    });
  }

  #failSilent(limit: number): void {
    let dead = false;
    for (const request of [...this.#requests.values()]) {
      if (request.patient || Math.max(request.heardAt, this.#aliveAt) > limit) continue;
      dead ||= this.#aliveAt < request.heardAt;
      void this.notify(cancellation(request.id));
      request.fail(SILENT);
    }
    if (dead && this.#pipe?.diesOfSilence) this.close();
  }
}

/** One request on a channel; to its call it is what an exchange is over HTTP. */
export class ChannelRequest {
  readonly started = true;
  ended = false;
  readonly id: number;
  readonly rawId: string;
  readonly handler: ChannelHandler;
  heardAt: number;
  paused = false;
  /** Somebody is asked on its behalf: it has only its total deadline. */
  patient = false;
  unsend: () => void = () => {};
  readonly #forget: (request: ChannelRequest) => void;

  constructor(id: number, handler: ChannelHandler, now: number, forget: (request: ChannelRequest) => void) {
    this.id = id;
    this.rawId = String(id);
    this.handler = handler;
    this.heardAt = now;
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

  /** Others share the pipe: instead of stopping it, progress is left out until the caller has caught up (GW-10). */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  disableIdleTimeout(): void {
    this.patient = true;
  }

  fail(fault: UpstreamFault): void {
    if (this.ended) return;
    this.ignore();
    this.handler.fault(fault);
  }
}

const CLOSED = new UpstreamFault("cancelled", "was not waited for: its session was closed");
const SILENT = new UpstreamFault("timeout", "did not answer in time");

export function cancellation(id: number): Buffer {
  return jsonRpc({ method: "notifications/cancelled", params: { requestId: id } });
}

/** What we say to a request that nobody behind us takes: it may have asked whether we are there. */
export function answerTo({ method, rawId }: UpstreamRequest): Buffer {
  return method === "ping" ? resultBody(rawId, "{}") : errorBody(rawId, METHOD_NOT_FOUND, "Method not found");
}
