/** GET and DELETE of a legacy session (2025-03-26 and later): the stream of our own messages, and the end. */
import type { EventStream, Exchange } from "../exchange.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import { LIST_KINDS } from "../snapshot/list-kinds.ts";
import type { Scope } from "../snapshot/scope.ts";
import { CallerStream } from "./caller-stream.ts";
import type { ResourceSubscriptions } from "./resource-subscriptions.ts";
import { FIRST_RESUMABLE_VERSION, type ResumableStreams } from "./resumable-streams.ts";
import type { McpSession, Sessions } from "./sessions.ts";
import type { ViewWatchers } from "./view-watchers.ts";

const LIST_CHANGED = new Map(
  LIST_KINDS.map((kind) => [kind, Buffer.from(`{"jsonrpc":"2.0","method":"notifications/${kind}/list_changed"}`)]),
);
const RETRY_MS = 3_000;

export class SessionStreams {
  readonly #sessions: Sessions;
  readonly #watchers: ViewWatchers;
  readonly #resumable: ResumableStreams;
  readonly #subscriptions: Pick<ResourceSubscriptions, "endSession">;
  /** By session id: a session has one stream, and the newest counts, since the one before may be dead unnoticed. */
  readonly #open = new Map<string, CallerStream>();

  constructor(
    sessions: Sessions,
    watchers: ViewWatchers,
    resumable: ResumableStreams,
    subscriptions: Pick<ResourceSubscriptions, "endSession">,
  ) {
    this.#sessions = sessions;
    this.#watchers = watchers;
    this.#resumable = resumable;
    this.#subscriptions = subscriptions;
  }

  /** The rest of an answer that broke off, or our own messages. False: this user has too many streams. */
  open(exchange: Exchange, principal: Principal, scope: Scope, session: McpSession): boolean {
    const lastEventId = exchange.header("last-event-id");
    if (lastEventId !== undefined && this.#resumable.resume(exchange, session, lastEventId)) return true;
    this.#open.get(session.id)?.close();
    const needs = { exchange, principal, scope, watchers: this.#watchers };
    const stream = new CallerStream({ ...needs, listChanged: LIST_CHANGED, farewell: undefined });
    if (!stream.open((events) => greet(events, exchange, session, stream))) return false;
    this.#open.set(session.id, stream);
    exchange.onOver(() => {
      if (this.#open.get(session.id) === stream) this.#open.delete(session.id);
    });
    return true;
  }

  isListening({ id }: McpSession): boolean {
    return this.#open.has(id);
  }

  resourceUpdated({ id }: McpSession, uri: string): void {
    const params = `{"uri":${JSON.stringify(uri)}}`;
    const message = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":${params}}`;
    this.#open.get(id)?.resourceUpdated(uri, Buffer.from(message));
  }

  /** Here: other processes hear of it by the records. False: it was ended before. */
  end(session: Pick<McpSession, "id">): boolean {
    if (!this.#sessions.end(session)) return false;
    this.#resumable.endSession(session);
    this.#subscriptions.endSession(session);
    this.#open.get(session.id)?.close();
    return true;
  }
}

/** Who comes back may have missed a change while they were away: they are told to look. */
function greet(events: EventStream, exchange: Exchange, session: McpSession, stream: CallerStream): void {
  // Clients of earlier versions take an event without data for a broken message.
  const primed = session.version >= FIRST_RESUMABLE_VERSION;
  events.begin(primed ? exchange.requestId : undefined, RETRY_MS);
  if (exchange.header("last-event-id") === undefined) return;
  for (const kind of LIST_KINDS) stream.listChanged(kind);
}
