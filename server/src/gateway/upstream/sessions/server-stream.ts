/**
 * The stream of a legacy upstream session on which the upstream says what it ties to no request of ours. Many servers
 * ask their questions there, also those that come up in the middle of a call.
 */
import type { Timer } from "#lib/clock";
import { readResponse, type UpstreamNotification, type UpstreamRequest } from "../../envelope/read-response.ts";
import { HANDSHAKE_MS } from "../handshake/handshake.ts";
import { readListNotification } from "../listen/list-notification.ts";
import {
  answerTo,
  MAX_ANSWERS_UNDER_WAY,
  type NotificationListener,
  type UnclaimedMessages,
} from "../transport/channel.ts";
import { type Exchange, type ExchangeHandler, type ExchangeLimits, startExchange } from "../transport/exchange.ts";
import { notify } from "../transport/notify.ts";
import type { SessionCall, SessionStream, UpstreamSession } from "./target.ts";

/** Servers exist that say nothing at all before their first event: from those, no more is expected the next time. */
const SILENT_OPENING_MS = 1000;
const IDLE_MS = 60 * 60 * 1000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** The process that has the stream may have let it go without our being told. */
const ELSEWHERE_MS = 15_000;
/** And the upstream may need a moment to see that it is gone. */
const JUST_LEFT_MS = 500;

export class ServerStream implements ExchangeHandler, SessionStream {
  readonly #route: UpstreamSession;
  readonly #limits: ExchangeLimits;
  readonly #unclaimed: UnclaimedMessages;
  readonly #calls = new Set<SessionCall>();
  readonly #ears = new Set<NotificationListener>();
  readonly subscribed = new Set<string>();
  readonly #opened = Promise.withResolvers<void>();
  #exchange: Exchange | undefined;
  #timer: Timer | undefined;
  #waitMs = FIRST_WAIT_MS;
  #elsewhereMs = ELSEWHERE_MS;
  #answering = 0;
  #isOpening = false;
  #closed = false;
  /** Many servers let a session have one such stream only: another process has it. */
  isElsewhere = false;
  isOpen = false;
  #wasOpen = false;

  constructor(route: UpstreamSession, { maxBytes }: ExchangeLimits, unclaimed: UnclaimedMessages) {
    this.#route = route;
    this.#unclaimed = unclaimed;
    this.#limits = { idleMs: IDLE_MS, maxBytes };
  }

  /**
   * Resolves when the upstream has begun the stream or refused it, or has said nothing for a while. What it asks before is
   * lost, so that the first call of a session waits for this.
   */
  async open(): Promise<void> {
    const { endpoint, target } = this.#route;
    const patienceMs = target.opensStreamsSilently ? SILENT_OPENING_MS : HANDSHAKE_MS;
    const patience = endpoint.clock.after(patienceMs, () => {
      target.opensStreamsSilently = true;
      this.#opened.resolve();
    });
    this.#isOpening = true;
    this.#start(undefined);
    await this.#opened.promise;
    this.#isOpening = false;
    patience.cancel();
  }

  get isHeard(): boolean {
    return this.#ears.size > 0;
  }

  listen(ear: NotificationListener): () => void {
    this.#ears.add(ear);
    return () => void this.#ears.delete(ear);
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
    this.#gone();
  }

  /** It does not come back by itself. */
  #gone(): void {
    this.isOpen = false;
    for (const ear of [...this.#ears]) ear.ended();
  }

  opened(): void {
    if (this.#isOpening) this.#route.target.opensStreamsSilently = false;
    this.#waitMs = FIRST_WAIT_MS;
    this.isElsewhere = false;
    this.isOpen = true;
    if (this.#wasOpen) for (const ear of this.#ears) ear.reopened?.();
    this.#wasOpen = true;
    this.#opened.resolve();
  }

  event(data: Buffer): void {
    const message = readResponse(data);
    if (message.kind === "request") this.#asked(message);
    if (message.kind !== "notification") return;
    const news = this.isHeard ? readListNotification(message) : undefined;
    if (news) for (const ear of this.#ears) ear.heard(news);
    if (!this.take(message) || message.method === "notifications/cancelled") this.#unclaimed.notification(message);
  }

  take(message: UpstreamRequest | UpstreamNotification): boolean {
    const newestFirst = [...this.#calls].reverse();
    if (message.kind === "request") {
      if (!newestFirst.some((call) => call.question(message))) return false;
      // Any of them may be the one that waits for the answer.
      for (const call of newestFirst) call.disableIdleTimeout();
      return true;
    }
    const token = message.progressToken && message.source.text(message.progressToken);
    // All of them are the same client's.
    const call = token === undefined ? newestFirst[0] : newestFirst.find(({ rawId }) => rawId === token);
    call?.message(message);
    return call !== undefined;
  }

  /** It was refused, most likely because the server has no such stream: then it is not asked again. */
  answer(status: number): void {
    this.isElsewhere = status === 409;
    this.#opened.resolve();
    this.#gone();
    if (!this.isElsewhere) return;
    this.#again(undefined, this.#elsewhereMs);
    this.#elsewhereMs = Math.min(this.#elsewhereMs * 2, ELSEWHERE_MS);
  }

  streamEnd(lastEventId: string | undefined, retryMs: number | undefined): void {
    this.isOpen = false;
    this.#again(lastEventId, retryMs ?? this.#waitMs);
  }

  fault(): void {
    this.isOpen = false;
    this.#opened.resolve();
    this.#again(undefined, this.#waitMs);
  }

  #start(lastEventId: string | undefined): void {
    const { endpoint, headers } = this.#route;
    const resumed = lastEventId === undefined ? [] : ["last-event-id", lastEventId];
    const ownHeaders = [...endpoint.extraHeaders, ...resumed];
    const message = { method: "GET", path: endpoint.path, headers, ownHeaders, body: null } as const;
    try {
      this.#exchange = startExchange(endpoint.wire(), message, this.#limits, this);
    } catch {
      // No wire: the gateway is shutting down.
      this.#opened.resolve();
    }
  }

  #again(lastEventId: string | undefined, afterMs: number): void {
    if (this.#closed) return;
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
    this.#timer = this.#route.endpoint.clock.after(Math.min(afterMs, LONGEST_WAIT_MS), () => this.#start(lastEventId));
  }

  #asked(question: UpstreamRequest): void {
    if (question.method !== "ping" && (this.take(question) || this.#unclaimed.question(question))) return;
    if (this.#answering >= MAX_ANSWERS_UNDER_WAY) return;
    this.#answering++;
    void notify(this.#route, answerTo(question)).then(() => this.#answering--);
  }
}
