/**
 * The stream of a legacy upstream session on which the upstream sends messages that belong to no request. Many servers
 * send their requests there, including those that come up during a call.
 */
import type { Timer } from "#lib/clock";
import { readResponse, type UpstreamNotification, type UpstreamRequest } from "../../envelope/read-response.ts";
import { readListNotification } from "../listen/list-notification.ts";
import { type ExchangeHandler, type ExchangeLimits, streamRefusal } from "../transport/exchange.ts";
import { MAX_PENDING_REPLIES, replyTo } from "../transport/json-rpc.ts";
import type { InFlightRequest, NotificationListener, UnclaimedMessages } from "../transport/transport.ts";
import type { SessionCall, SessionStream, UpstreamSession } from "./upstream-session.ts";

/**
 * Some servers send nothing, not even the head of the response, before their first event. The request for the stream has
 * arrived by then, so a call that follows is safe. After the first timeout they get only the shorter time.
 */
const OPENING_MS = 1000;
const SILENT_OPENING_MS = 250;
const IDLE_MS = 60 * 60 * 1000;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;
/** The process that has the stream may have closed it without notifying this one. */
const ELSEWHERE_MS = 15_000;
/** The upstream may need a moment to notice that the other process is gone. */
const JUST_LEFT_MS = 500;

export class ServerStream implements ExchangeHandler, SessionStream {
  readonly #session: UpstreamSession;
  readonly #limits: ExchangeLimits;
  readonly #unclaimed: UnclaimedMessages;
  readonly #calls = new Set<SessionCall>();
  readonly #listeners = new Set<NotificationListener>();
  readonly subscribed = new Set<string>();
  readonly #opened = Promise.withResolvers<void>();
  #exchange: InFlightRequest | undefined;
  #timer: Timer | undefined;
  #waitMs = FIRST_WAIT_MS;
  #elsewhereMs = ELSEWHERE_MS;
  #pendingReplies = 0;
  #isOpening = false;
  #closed = false;
  isElsewhere = false;
  isOpen = false;
  #wasOpen = false;

  constructor(session: UpstreamSession, { maxBytes }: ExchangeLimits, unclaimed: UnclaimedMessages) {
    this.#session = session;
    this.#unclaimed = unclaimed;
    this.#limits = { idleMs: IDLE_MS, maxBytes };
  }

  /**
   * Resolves when the upstream opened or refused the stream, or sent nothing for a while. The first call of a session
   * waits for this, because requests sent earlier would be lost.
   */
  async open(): Promise<void> {
    const { endpoint, target } = this.#session;
    const timeoutMs = target.opensStreamsSilently ? SILENT_OPENING_MS : OPENING_MS;
    const timeout = endpoint.clock.after(timeoutMs, () => {
      target.opensStreamsSilently = true;
      this.#opened.resolve();
    });
    this.#isOpening = true;
    this.#start(undefined);
    await this.#opened.promise;
    this.#isOpening = false;
    timeout.cancel();
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get calls(): Iterable<SessionCall> {
    return this.#calls;
  }

  add(call: SessionCall): void {
    this.#calls.add(call);
  }

  delete(call: SessionCall): void {
    this.#calls.delete(call);
  }

  retry(): void {
    if (!this.isElsewhere || this.#closed || !this.#exchange?.ended) return;
    this.#elsewhereMs = JUST_LEFT_MS;
    this.#timer?.cancel();
    this.#start(undefined);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#exchange?.abort();
    this.#opened.resolve();
    this.#endListeners();
  }

  #endListeners(): void {
    this.isOpen = false;
    for (const listener of [...this.#listeners]) listener.ended("broken");
  }

  opened(): void {
    if (this.#isOpening) this.#session.target.opensStreamsSilently = false;
    this.#waitMs = FIRST_WAIT_MS;
    this.isElsewhere = false;
    this.isOpen = true;
    if (this.#wasOpen) for (const listener of this.#listeners) listener.reopened?.();
    this.#wasOpen = true;
    this.#opened.resolve();
  }

  event(data: Buffer): void {
    const message = readResponse(data);
    if (message.kind === "request") this.#receivedRequest(message);
    if (message.kind !== "notification") return;
    const notification = this.hasListeners ? readListNotification(message) : undefined;
    if (notification) for (const listener of this.#listeners) listener.received(notification);
    if (!this.take(message) || message.method === "notifications/cancelled") this.#unclaimed.notification(message);
  }

  take(message: UpstreamRequest | UpstreamNotification): boolean {
    const newestFirst = [...this.#calls].reverse();
    if (message.kind === "request") {
      if (!newestFirst.some((call) => call.question(message))) return false;
      // Any of them may be the one that waits for the response.
      for (const call of newestFirst) call.disableIdleTimeout();
      return true;
    }
    const token = message.progressToken && message.source.text(message.progressToken);
    // All calls of an MCP session belong to the same client.
    const [newest] = this.#session.mcpSession || newestFirst.length === 1 ? newestFirst : [];
    const call = token === undefined ? newest : newestFirst.find(({ rawId }) => rawId === token);
    call?.message(message);
    return call !== undefined;
  }

  /** Tried again if another process has the stream, or the server is unavailable. Otherwise there is no such stream. */
  answer(status: number): void {
    this.isElsewhere = status === 409;
    this.#opened.resolve();
    this.#endListeners();
    if (this.isElsewhere) {
      this.#startLater(undefined, this.#elsewhereMs);
      this.#elsewhereMs = Math.min(this.#elsewhereMs * 2, ELSEWHERE_MS);
    } else if (streamRefusal(status) === "broken") this.#startLater(undefined, this.#waitMs);
  }

  streamEnd(lastEventId: string | undefined, retryMs: number | undefined): void {
    this.isOpen = false;
    this.#startLater(lastEventId, retryMs ?? this.#waitMs);
  }

  fault(): void {
    this.isOpen = false;
    this.#opened.resolve();
    this.#startLater(undefined, this.#waitMs);
  }

  #start(lastEventId: string | undefined): void {
    try {
      this.#exchange = this.#session.connection.openStream?.(lastEventId, this.#limits, this);
    } catch {
      // The gateway is shutting down.
      this.#opened.resolve();
    }
  }

  #startLater(lastEventId: string | undefined, afterMs: number): void {
    if (this.#closed) return;
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS);
    const { clock } = this.#session.endpoint;
    this.#timer = clock.after(Math.min(afterMs, MAX_WAIT_MS), () => this.#start(lastEventId));
  }

  #receivedRequest(request: UpstreamRequest): void {
    if (request.method !== "ping" && (this.take(request) || this.#unclaimed.question(request))) return;
    if (this.#pendingReplies >= MAX_PENDING_REPLIES) return;
    this.#pendingReplies++;
    void this.#session.connection.notify(replyTo(request)).then(() => this.#pendingReplies--);
  }
}
