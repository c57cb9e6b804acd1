/**
 * What upstreams say in a session while none of its calls here can take it: it goes out on the session's stream, or to
 * the process that can tell it.
 */
import type { Clock, Timer } from "#lib/clock";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import { changedList } from "../snapshot/list-kinds.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { MessageListener, SessionMessage } from "../upstream/sessions/upstream-session.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import type { Announcements } from "./announcements.ts";
import { PassedMessages, type PassedMessagesNeeds, type TakenMessage } from "./passed-messages.ts";
import type { SessionStreams } from "./session-requests.ts";
import type { McpSession } from "./sessions.ts";

export interface BetweenCallsNeeds extends Omit<PassedMessagesNeeds, "replicas" | "hasStream" | "deliverLocally"> {
  /** Undefined: there is no other process. */
  readonly replicas: PassedMessagesNeeds["replicas"] | undefined;
  readonly upstreams: Upstreams;
  readonly holder: SnapshotHolder;
  readonly clock: Clock;
  readonly streams: SessionStreams;
  readonly announcements: Announcements;
}

/** Many streams are opened at once when a process has gone. */
const GATHER_MS = 50;

export class BetweenCalls implements MessageListener {
  readonly #needs: BetweenCallsNeeds;
  readonly #passed: PassedMessages | undefined;
  /** Sessions whose stream was opened here. */
  readonly #opened = new Map<string, McpSession>();
  #timer: Timer | undefined;

  constructor(needs: BetweenCallsNeeds) {
    this.#needs = needs;
    const { replicas, streams } = needs;
    this.#passed =
      replicas &&
      new PassedMessages({
        ...{ ...needs, replicas },
        hasStream: (id) => streams.listenerOf({ id }) !== undefined,
        deliverLocally: (taken) => this.#deliverLocally(taken),
      });
  }

  get reachesOthers(): boolean {
    return this.#passed !== undefined;
  }

  question(heard: SessionMessage<UpstreamRequest>): boolean {
    const { session, server, from, message } = heard;
    if (!this.#listensTo(session.id, server) || !this.#needs.streams.ask(session.id, server.id, message, from))
      return this.#passed?.question(heard) ?? false;
    this.#passed?.announce(session.id);
    return true;
  }

  notification(heard: SessionMessage<UpstreamNotification>): void {
    const { session, server, message } = heard;
    const { streams, announcements } = this.#needs;
    const changed = changedList(message.method);
    const userId = server.upstream?.authType === "none" ? undefined : session.userId;
    if (changed) announcements.heard(server.id, changed, userId);
    else if (this.#listensTo(session.id, server) && !message.progressToken) streams.say(session.id, server.id, message);
    else this.#passed?.notification(heard);
  }

  /** There is news of sessions: it may be something to tell here, or that somebody is asked what a call waits for. */
  changed(sessionIds: ReadonlySet<string>): void {
    if (!this.#passed || sessionIds.size === 0) return;
    const calls = this.#needs.upstreams.ofSession.callsOf(sessionIds);
    for (const each of calls.values()) for (const call of each) call.disableIdleTimeout();
    void this.#passed.take(sessionIds, calls);
  }

  /** The caller wants that call no more, which is not under way here. */
  cancelElsewhere(sessionId: string, rawId: string): void {
    this.#passed?.cancel(sessionId, rawId);
  }

  /** The session's stream was opened here. */
  opened(session: McpSession): void {
    if (!this.#passed) return;
    if (Object.keys(session.capabilities).length === 0) return;
    this.#opened.set(session.id, session);
    this.#timer ??= this.#needs.clock.after(GATHER_MS, () => void this.#hold());
  }

  /** Another process is gone. What it held for callers who listen here is held here from now on. */
  onReplicaGone(): void {
    this.#needs.upstreams.ofSession.retryStreams();
    for (const session of this.#needs.streams.sessions()) this.opened(session);
  }

  close(): void {
    this.#timer?.cancel();
  }

  async #hold(): Promise<void> {
    this.#timer = undefined;
    const { upstreams } = this.#needs;
    const wanted = new Map(
      [...this.#opened].map(([id, session]) => [id, { session, serverOf: (server: string) => this.#seen(id, server) }]),
    );
    this.#opened.clear();
    void this.#passed?.take(wanted.keys());
    await upstreams.reclaimStreams(wanted);
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
    return this.#seen(sessionId, server.id) !== undefined;
  }

  /** Whoever listens hears only of servers that they reach now. */
  #seen(sessionId: string, serverId: string): ServerEntry | undefined {
    const listener = this.#needs.streams.listenerOf({ id: sessionId });
    if (!listener) return undefined;
    const { servers } = this.#needs.holder.viewFor(listener.principal, listener.scope);
    return servers.find(({ id }) => id === serverId);
  }
}
