/** Creates the parts that serve callers besides responses to their requests. */
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { ListSync, Replicas, SecretVerifier, SessionRecords, SessionSeal, UpstreamCredentials } from "../ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import { shownAddress } from "../snapshot/resources.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "../upstream/listen/listener.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import { Announcements } from "./announcements.ts";
import { BetweenCalls } from "./between-calls.ts";
import { Listening } from "./listening.ts";
import type { CallersCalls } from "./passed-messages.ts";
import { Questions } from "./questions.ts";
import { ResourceSubscriptions, type ResourceUpdate, type Subscriber } from "./resource-subscriptions.ts";
import { ResumableStreams } from "./resumable-streams.ts";
import { SessionStreams } from "./session-requests.ts";
import { SessionSubscriptions } from "./session-subscriptions.ts";
import { type McpSession, Sessions } from "./sessions.ts";
import { ViewWatchers } from "./view-watchers.ts";

export interface SessionPartsNeeds {
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
  readonly newSessionId: () => string;
  /** Whether this is the only process that serves callers. */
  readonly alone: boolean;
  /** The open calls of callers at this process. */
  readonly sessionCalls: CallersCalls;
  /** Undefined: there are no other processes. */
  readonly replicas?: Replicas | undefined;
}

/** A row of the session table. */
export interface SessionChange {
  readonly id: string;
  readonly log_level: string | null;
  readonly updated_at: number;
  readonly ended_at: number | null;
}

/** Listens with the user's current credential. A user without one may connect soon, so that counts as broken. */
function listenAs(
  { upstreams, credentials }: SessionPartsNeeds,
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

export function createSessionParts(needs: SessionPartsNeeds) {
  const { clock, upstreams, credentials, holder, newSessionId, alone } = needs;
  const sessions = new Sessions({ seal: needs.sessionSeal, newSessionId });
  const watchers = new ViewWatchers({ ...needs, changed: () => listening.checkSoon() });
  const announcements = new Announcements({ ...needs, watchers });
  const listening = new Listening({
    clock,
    wanted: (most) => watchers.watched(most),
    listen: (to, userId, events) =>
      userId === undefined ? upstreams.listen(to, events) : listenAs(needs, to, userId, events),
    announcements,
  });
  const resumable = new ResumableStreams({ clock, newStreamId: newSessionId, alone });
  const subscriptions = new ResourceSubscriptions({ clock, upstreams, credentials, notify });
  const opened = (subscriber: Subscriber, session: McpSession) => {
    sessionSubscriptions.restore(subscriber);
    betweenCalls.opened(session);
  };
  const questions = new Questions(needs.questionSeal);
  const sessionStreams = new SessionStreams({
    ...{ sessions, watchers, resumable, subscriptions, questions, clock },
    opened,
  });
  const { replicas, sessionRecords: records } = needs;
  const betweenCalls = new BetweenCalls({ ...needs, replicas, records, announcements, streams: sessionStreams });
  upstreams.ofSession.setListener(betweenCalls);
  const sessionSubscriptions = new SessionSubscriptions({
    ...{ ...needs, subscriptions, records },
    listening: () => sessionStreams.listening(),
    listenerOf: (id) => sessionStreams.listenerOf({ id }),
  });

  /** Checks access for each notification, because it may have changed. */
  function notify(subscriber: Subscriber, { server, uri, asked }: ResourceUpdate): void {
    const { servers } = holder.viewFor(subscriber.principal.user, subscriber.scope);
    if (!servers.some(({ id }) => id === server.id)) return;
    subscriber.updated(asked ?? shownAddress(servers, server, uri));
  }

  return {
    parts: {
      sessions,
      watchers,
      announcements,
      resumable,
      questions,
      sessionStreams,
      subscriptions,
      sessionSubscriptions,
      cancelElsewhere: (sessionId: string, rawId: string) => betweenCalls.cancelElsewhere(sessionId, rawId),
    },
    /** Sessions were changed by this or another process. */
    sessionsChanged(changes: readonly SessionChange[]): void {
      const changed = new Set<string>();
      for (const { id, log_level: level, updated_at: at, ended_at: endedAt } of changes) {
        if (endedAt !== null) {
          if (sessionStreams.end({ id })) void upstreams.ofSession.end({ id });
          continue;
        }
        if (level !== null) void upstreams.ofSession.setLogLevel({ id }, level, at);
        changed.add(id);
      }
      sessionSubscriptions.changed(changed);
      betweenCalls.changed(changed);
    },
    onReplicaGone() {
      sessionSubscriptions.onReplicaGone();
      betweenCalls.onReplicaGone();
    },
    close() {
      const parts = [watchers, listening, announcements, resumable, sessionSubscriptions, subscriptions, betweenCalls];
      for (const part of parts) part.close();
    },
  };
}
