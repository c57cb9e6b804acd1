/**
 * GET and DELETE of a legacy session (2025-03-26 and later): the stream of server messages, and the end of the session.
 */

import type { Clock } from "#lib/clock";
import { notificationParts } from "../envelope/answer.ts";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type { EventStream, Exchange } from "../exchange.ts";
import type { UpstreamAddress } from "../session-ports.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import { LIST_KINDS } from "../snapshot/list-kinds.ts";
import type { Scope } from "../snapshot/scope.ts";
import { CallerStream } from "./caller-stream.ts";
import { PendingQuestions } from "./pending-questions.ts";
import type { Questions } from "./questions.ts";
import type { ResourceSubscriptions, Subscriber } from "./resource-subscriptions.ts";
import { FIRST_RESUMABLE_VERSION, type ResumableStreams } from "./resumable-streams.ts";
import type { McpSession, Sessions } from "./sessions.ts";
import type { ViewWatchers } from "./view-watchers.ts";

const LIST_CHANGED = new Map(
  LIST_KINDS.map((kind) => [kind, Buffer.from(`{"jsonrpc":"2.0","method":"notifications/${kind}/list_changed"}`)]),
);
const RETRY_MS = 3_000;
const ALWAYS_SENT = new Set(["notifications/message", "notifications/elicitation/complete"]);

export interface SessionStreamsNeeds {
  readonly sessions: Sessions;
  readonly watchers: ViewWatchers;
  readonly resumable: ResumableStreams;
  readonly subscriptions: Pick<ResourceSubscriptions, "end">;
  readonly questions: Questions;
  readonly clock: Clock;
  /** Called when a session's stream is open. */
  readonly opened: (subscriber: Subscriber, session: McpSession) => void;
}

interface OpenStream {
  readonly session: McpSession;
  readonly stream: CallerStream;
  readonly subscriber: Subscriber;
  /** By server. */
  readonly asked: Map<string, PendingQuestions>;
}

export class SessionStreams {
  readonly #needs: SessionStreamsNeeds;
  /**
   * By session id. A session has one stream; the newest is used, because the previous one may be dead without notice.
   */
  readonly #open = new Map<string, OpenStream>();

  constructor(needs: SessionStreamsNeeds) {
    this.#needs = needs;
  }

  /** Resumes a response, or opens the stream of server messages. False if this user has too many streams. */
  open(exchange: Exchange, principal: Principal, scope: Scope, session: McpSession): boolean {
    const { watchers, resumable, opened } = this.#needs;
    const lastEventId = exchange.header("last-event-id");
    if (lastEventId !== undefined && resumable.resume(exchange, session, lastEventId)) return true;
    this.#open.get(session.id)?.stream.close();
    const needs = { exchange, principal, scope, watchers };
    const stream = new CallerStream({ ...needs, listChanged: LIST_CHANGED, closingMessage: undefined });
    if (!stream.open((events) => greet(events, exchange, session, stream))) return false;
    const subscriber = this.subscriberOf(session, principal, scope);
    this.#open.set(session.id, { session, stream, subscriber, asked: new Map() });
    exchange.onOver(() => {
      if (this.#open.get(session.id)?.stream === stream) this.#open.delete(session.id);
    });
    opened(subscriber, session);
    return true;
  }

  /** The subscribers whose stream is open here. */
  *listening(): Iterable<Subscriber> {
    for (const { subscriber } of this.#open.values()) yield subscriber;
  }

  *sessions(): Iterable<McpSession> {
    for (const { session } of this.#open.values()) yield session;
  }

  /** The subscriber of the session if its stream is open here. */
  listenerOf({ id }: Pick<McpSession, "id">): Subscriber | undefined {
    return this.#open.get(id)?.subscriber;
  }

  /** Notifications are sent on the session's stream if it is open here at that time. */
  subscriberOf(session: McpSession, principal: Principal, scope: Scope): Subscriber {
    const { id } = session;
    return {
      id,
      session,
      principal,
      scope,
      isListening: () => this.#open.has(id),
      updated: (uri) => {
        const params = `{"uri":${JSON.stringify(uri)}}`;
        const message = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":${params}}`;
        this.#open.get(id)?.stream.resourceUpdated(uri, Buffer.from(message));
      },
    };
  }

  /** For a question of an upstream that no call of the session can take. False if no caller can receive it here. */
  ask(id: string, serverId: string, message: UpstreamRequest, from: UpstreamAddress): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    const asked = open.asked.get(serverId) ?? new PendingQuestions(this.#needs, open.session, serverId);
    open.asked.set(serverId, asked);
    const question = asked.ask(message, from);
    return question !== undefined && open.stream.ask(question);
  }

  /** For a message between calls: a log message, or the end of a question that was sent here. */
  say(id: string, serverId: string, message: UpstreamNotification): void {
    const open = this.#open.get(id);
    const parts = ALWAYS_SENT.has(message.method)
      ? notificationParts(message)
      : open?.asked.get(serverId)?.about(message);
    if (parts) open?.stream.ask(Buffer.concat(parts));
  }

  /** Ends it in this process; other processes are notified through the records. False if it has already ended. */
  end(session: Pick<McpSession, "id">): boolean {
    const { sessions, resumable, subscriptions } = this.#needs;
    if (!sessions.end(session)) return false;
    resumable.endSession(session);
    subscriptions.end(session);
    this.#open.get(session.id)?.stream.close();
    return true;
  }
}

/** A reconnecting caller may have missed a change, so it is notified that all lists have changed. */
function greet(events: EventStream, exchange: Exchange, session: McpSession, stream: CallerStream): void {
  // Clients of earlier versions treat an event without data as a broken message.
  const primed = session.version >= FIRST_RESUMABLE_VERSION;
  events.begin(primed ? exchange.requestId : undefined, RETRY_MS);
  if (exchange.header("last-event-id") === undefined) return;
  for (const kind of LIST_KINDS) stream.listChanged(kind);
}
