/** Everything that callers with a session get beyond answers to their requests, wired together. */
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { CallerRecords, ListSync, SecretVerifier, UpstreamCredentials } from "../ports.ts";
import type { Replicas, SessionRecords, SessionSeal } from "../session-ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import { listedUri } from "../snapshot/resources.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "../upstream/listen/listener.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import { Announcements } from "./announcements.ts";
import { ListListeners } from "./list-listeners.ts";
import { Questions } from "./questions.ts";
import { ReplicaMailboxes } from "./replica-mailboxes.ts";
import { ResourceSubscriptions, type ResourceUpdate, type Subscriber } from "./resource-subscriptions.ts";
import { ResumableStreams } from "./resumable-streams.ts";
import { SessionCalls } from "./session-calls.ts";
import { SessionStreams } from "./session-streams.ts";
import { SessionSubscriptions } from "./session-subscriptions.ts";
import { type McpSession, Sessions } from "./sessions.ts";
import { UnsolicitedMessages } from "./unsolicited-messages.ts";
import { ViewWatchers } from "./view-watchers.ts";

export interface SessionPorts {
  readonly holder: SnapshotHolder;
  readonly verifier: SecretVerifier;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly listSync: ListSync;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sessionSeal: SessionSeal;
  readonly questionSeal: SessionSeal;
  readonly sessionRecords: SessionRecords;
  readonly callerRecords: CallerRecords;
  readonly newSessionId: () => string;
  /** Whether every request of a caller reaches this process. */
  readonly alone: boolean;
  /** Undefined if there are no other processes. */
  readonly replicas?: Replicas | undefined;
}

export interface SessionServices {
  /** Issues and opens session ids. */
  readonly ids: Sessions;
  readonly records: SessionRecords;
  readonly calls: SessionCalls;
  readonly questions: Questions;
  readonly mailboxes: ReplicaMailboxes;
  readonly streams: SessionStreams;
  readonly resumable: ResumableStreams;
  readonly watchers: ViewWatchers;
  readonly announcements: Announcements;
  readonly subscriptions: ResourceSubscriptions;
  readonly sessionSubscriptions: SessionSubscriptions;
  /** For a call that is not in progress in this process. */
  cancelElsewhere(sessionId: string, rawId: string): void;
}

export interface SessionLifecycle {
  readonly services: SessionServices;
  /** Applies what this and other processes have stored about sessions. */
  sessionsChanged(changes: readonly SessionChange[]): void;
  onReplicaGone(): void;
  close(): void;
}

/** A stored change of a session. */
export interface SessionChange {
  readonly id: string;
  readonly log_level: string | null;
  readonly updated_at: number;
  readonly ended_at: number | null;
}

/** Listens with the user's current credential. A user without one may connect soon, so that counts as broken. */
function listenAs(
  { upstreams, credentials }: SessionPorts,
  to: ListenTo,
  userId: string,
  events: ListenerEvents,
): UpstreamListener {
  let listener: UpstreamListener | undefined;
  let closed = false;
  const open = async () => {
    const credential = await credentials.of(to.server, userId);
    if (closed) return;
    if (typeof credential === "string") events.ended("broken");
    else listener = upstreams.listen({ ...to, userId, credential }, events);
  };
  open().catch(() => closed || events.ended("broken"));
  return {
    close() {
      closed = true;
      listener?.close();
    },
  };
}

export function createSessionServices(ports: SessionPorts): SessionLifecycle {
  const { clock, upstreams, credentials, holder, newSessionId, alone, replicas, sessionRecords: records } = ports;
  const calls = new SessionCalls();
  const sessions = new Sessions({ seal: ports.sessionSeal, newSessionId });
  const watchers = new ViewWatchers({ ...ports, changed: () => listening.checkSoon() });
  const announcements = new Announcements({ ...ports, watchers });
  const listening = new ListListeners({
    clock,
    wanted: (most) => watchers.watched(most),
    listen: (to, userId, events) =>
      userId === undefined ? upstreams.listen(to, events) : listenAs(ports, to, userId, events),
    announcements,
  });
  const resumable = new ResumableStreams({ clock, newStreamId: newSessionId, alone });
  const subscriptions = new ResourceSubscriptions({ clock, upstreams, credentials, notify });
  const opened = (subscriber: Subscriber, session: McpSession) => {
    sessionSubscriptions.restore(subscriber);
    unsolicited.opened(session);
  };
  const questions = new Questions(ports.questionSeal);
  const mailboxes = new ReplicaMailboxes({ ...ports, records, replicas, newId: newSessionId });
  const streams = new SessionStreams({ sessions, watchers, resumable, subscriptions, questions, clock, opened });
  const unsolicited = new UnsolicitedMessages({
    ...ports,
    sessionCalls: calls,
    replicas,
    records,
    announcements,
    streams,
  });
  upstreams.ofSession.setListener(unsolicited);
  const sessionSubscriptions = new SessionSubscriptions({
    ...ports,
    subscriptions,
    records,
    listening: () => streams.listening(),
    listenerOf: (id) => streams.listenerOf({ id }),
  });

  /** Access is checked again each time, because it can have been revoked since. */
  function notify(subscriber: Subscriber, { server, uri, asked }: ResourceUpdate): void {
    const { servers } = holder.viewFor(subscriber.principal, subscriber.scope);
    if (!servers.some(({ id }) => id === server.id)) return;
    subscriber.updated(asked ?? listedUri(servers, server, uri));
  }

  return {
    services: {
      ids: sessions,
      records,
      calls,
      questions,
      mailboxes,
      streams,
      resumable,
      watchers,
      announcements,
      subscriptions,
      sessionSubscriptions,
      cancelElsewhere: (sessionId, rawId) => unsolicited.cancelElsewhere(sessionId, rawId),
    },
    sessionsChanged(changes) {
      const changed = new Set<string>();
      for (const { id, log_level: level, updated_at: at, ended_at: endedAt } of changes) {
        if (endedAt !== null) {
          if (streams.end({ id })) void upstreams.ofSession.end({ id });
          continue;
        }
        if (level !== null) void upstreams.ofSession.setLogLevel({ id }, level, at);
        changed.add(id);
      }
      sessionSubscriptions.changed(changed);
      unsolicited.changed(changed);
      void mailboxes.changed(changed);
    },
    onReplicaGone() {
      sessionSubscriptions.onReplicaGone();
      unsolicited.onReplicaGone();
    },
    close() {
      const parts = [watchers, listening, announcements, resumable, sessionSubscriptions, subscriptions, unsolicited];
      for (const part of parts) part.close();
    },
  };
}
