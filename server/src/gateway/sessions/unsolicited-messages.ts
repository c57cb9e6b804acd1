/**
 * Delivers the messages of upstreams in a session that no call at this process claims: on the stream of the session, or to
 * the process that can deliver them.
 */
import type { Clock, Timer } from "#lib/clock";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import { changedList } from "../snapshot/list-kinds.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { MessageListener, SessionMessage } from "../upstream/sessions/upstream-session.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import type { Announcements } from "./announcements.ts";
import { ReplicaMessages, type ReplicaMessagesNeeds, type TakenMessage } from "./replica-messages.ts";
import type { SessionStreams } from "./session-streams.ts";
import type { McpSession } from "./sessions.ts";

export interface UnsolicitedMessagesNeeds
  extends Omit<ReplicaMessagesNeeds, "replicas" | "hasStream" | "deliverLocally"> {
  /** Undefined if there are no other processes. */
  readonly replicas: ReplicaMessagesNeeds["replicas"] | undefined;
  readonly upstreams: Upstreams;
  readonly holder: SnapshotHolder;
  readonly clock: Clock;
  readonly streams: SessionStreams;
  readonly announcements: Announcements;
}

/** Many streams are opened within a short time when a process is gone. */
const BATCH_MS = 50;
/** The database may be available again by then. */
const RETRY_MS = 1_000;

export class UnsolicitedMessages implements MessageListener {
  readonly #needs: UnsolicitedMessagesNeeds;
  readonly #passed: ReplicaMessages | undefined;
  /** Sessions whose stream was opened here. */
  readonly #opened = new Map<string, McpSession>();
  #timer: Timer | undefined;
  #closed = false;

  constructor(needs: UnsolicitedMessagesNeeds) {
    this.#needs = needs;
    const { replicas, streams } = needs;
    this.#passed =
      replicas &&
      new ReplicaMessages({
        ...{ ...needs, replicas },
        hasStream: (id) => streams.listenerOf({ id }) !== undefined,
        deliverLocally: (taken) => this.#deliverLocally(taken),
      });
  }

  get reachesOthers(): boolean {
    return this.#passed !== undefined;
  }

  question(received: SessionMessage<UpstreamRequest>): boolean {
    const { session, server, from, message } = received;
    if (!this.#listensTo(session.id, server) || !this.#needs.streams.ask(session.id, server.id, message, from))
      return this.#passed?.question(received) ?? false;
    this.#passed?.announce(session.id);
    return true;
  }

  notification(received: SessionMessage<UpstreamNotification>): void {
    const { session, server, message } = received;
    const { streams, announcements } = this.#needs;
    const changed = changedList(message.method);
    const userId = server.upstream?.authType === "none" ? undefined : session.userId;
    if (changed) announcements.received(server.id, changed, userId);
    else if (this.#listensTo(session.id, server) && !message.progressToken) streams.say(session.id, server.id, message);
    else this.#passed?.notification(received);
  }

  /** Sessions have changed: a message may be waiting for this process, or another one relays a request of a call. */
  changed(sessionIds: ReadonlySet<string>): void {
    if (!this.#passed || sessionIds.size === 0) return;
    const calls = this.#needs.upstreams.ofSession.callsOf(sessionIds);
    for (const each of calls.values()) for (const call of each) call.disableIdleTimeout();
    void this.#passed.take(sessionIds, calls);
  }

  /** The caller canceled a call that is not open at this process. */
  cancelElsewhere(sessionId: string, rawId: string): void {
    this.#passed?.cancel(sessionId, rawId);
  }

  /** The stream of the session was opened at this process. */
  opened(session: McpSession): void {
    if (!this.#passed) return;
    if (Object.keys(session.capabilities).length === 0) return;
    this.#opened.set(session.id, session);
    this.#reclaimAfter(BATCH_MS);
  }

  /** Another process is gone. This one takes over the streams of callers that listen here. */
  onReplicaGone(): void {
    this.#needs.upstreams.ofSession.retryStreams();
    for (const session of this.#needs.streams.sessions()) this.opened(session);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #reclaimAfter(ms: number): void {
    if (!this.#closed) this.#timer ??= this.#needs.clock.after(ms, () => void this.#reclaim());
  }

  async #reclaim(): Promise<void> {
    this.#timer = undefined;
    const { upstreams, streams } = this.#needs;
    const wanted = new Map(
      [...this.#opened].map(([id, session]) => [
        id,
        { session, serverOf: (server: string) => this.#accessibleServer(id, server) },
      ]),
    );
    this.#opened.clear();
    void this.#passed?.take(wanted.keys());
    if (await upstreams.reclaimStreams(wanted)) return;
    // A caller who only listens makes no call that would open the stream.
    for (const [id, { session }] of wanted) if (streams.listenerOf({ id })) this.#opened.set(id, session);
    if (this.#opened.size > 0) this.#reclaimAfter(RETRY_MS);
  }

  #deliverLocally({ sessionId, server, from, message }: TakenMessage): boolean {
    const { upstreams, streams } = this.#needs;
    const forCalls = message.kind === "request" || message.progressToken;
    if (forCalls && upstreams.ofSession.offer({ id: sessionId }, server.id, from, message)) return true;
    if (!this.#listensTo(sessionId, server)) return false;
    if (message.kind === "request") return streams.ask(sessionId, server.id, message, from);
    streams.say(sessionId, server.id, message);
    return true;
  }

  #listensTo(sessionId: string, server: ServerEntry): boolean {
    return this.#accessibleServer(sessionId, server.id) !== undefined;
  }

  /** Undefined if the listening caller has no access to the server. */
  #accessibleServer(sessionId: string, serverId: string): ServerEntry | undefined {
    const listener = this.#needs.streams.listenerOf({ id: sessionId });
    if (!listener) return undefined;
    const { servers } = this.#needs.holder.viewFor(listener.principal, listener.scope);
    return servers.find(({ id }) => id === serverId);
  }
}
