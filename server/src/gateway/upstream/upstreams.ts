/** The way out of the gateway: requests to upstreams over any transport, in either era of the protocol. */
import type { Egress } from "#egress/egress";
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type {
  EraObserver,
  SharedSessions,
  UpstreamAddress,
  UpstreamCredential,
  UpstreamCredentials,
} from "../ports.ts";
import type { McpSession } from "../sessions/sessions.ts";
import type { ServerLimits } from "../snapshot/limits.ts";
import type { ServerEntry, UpstreamEntry } from "../snapshot/shape.ts";
import { AuthorizedCall } from "./calls/authorized-call.ts";
import { UpstreamCall } from "./calls/call.ts";
import { EndedGrants } from "./calls/ended-grants.ts";
import { OpenCalls } from "./calls/open-calls.ts";
import { postTo } from "./calls/post-to.ts";
import type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "./calls/sink.ts";
import { UpstreamFault } from "./failure.ts";
import { Bulkheads } from "./limits/bulkheads.ts";
import type { UpstreamMeters } from "./limits/upstream-meter.ts";
import { GrantedListeners } from "./listen/granted-listeners.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "./listen/listener.ts";
import { type ReclaimableSession, reclaimStreams } from "./sessions/reclaim-streams.ts";
import type { MessageListener, SessionCall } from "./sessions/target.ts";
import { UpstreamSessions } from "./sessions/upstream-sessions.ts";
import type { LocalServers } from "./transport/local-servers.ts";

export type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "./calls/sink.ts";
export type { UpstreamFailure, UpstreamFailureKind } from "./failure.ts";

export interface UpstreamsOptions {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly eraObserver: EraObserver;
  readonly localServers: LocalServers;
  readonly credentials: UpstreamCredentials;
  /** Undefined: no other process goes on with what this one opens. */
  readonly shared?: SharedSessions;
  /** What holds where a server has no limit of its own; read at each call. */
  readonly limits: () => ServerLimits;
  readonly maxAnswerBytes?: number;
  /**
   * Where our ids begin, default 0. Processes that share a session must not use the same ones at the same time: a server
   * tells the requests of a session apart by them.
   */
  readonly firstId?: number;
}

export interface Upstreams {
  /**
   * Sends one request. When era and session are known it is on its way before this returns, and the sink may have heard
   * of a failure by then; nothing is thrown.
   */
  call(server: ServerEntry, userId: string, request: RequestToUpstream, sink: UpstreamSink): UpstreamCallHandle;
  /** Posts what belongs to an upstream session that any process may have opened. Resolves when it was taken or not. */
  post(server: ServerEntry, userId: string, to: UpstreamAddress, body: Buffer): Promise<void>;
  /** All that this process has open for a caller's session. */
  readonly ofSession: {
    notify(session: McpSession, body: Buffer): Promise<void>;
    /** From now on the logs begin at this level, unless a later word than this one is known. */
    setLogLevel(session: Pick<McpSession, "id">, level: string, at: number): Promise<void>;
    end(session: Pick<McpSession, "id">): Promise<void>;
    /** From now on this one hears what upstreams say in sessions while no call can take it. */
    setListener(ear: MessageListener): void;
    /** What another process heard in a session of that server. False: no call here takes it. */
    offer(
      session: Pick<McpSession, "id">,
      serverId: string,
      from: UpstreamAddress,
      message: UpstreamRequest | UpstreamNotification,
    ): boolean;
    /** What is under way in these sessions. */
    callsOf(sessionIds: ReadonlySet<string>): ReadonlyMap<string, readonly SessionCall[]>;
    /** Another process is gone: what it had may be had by us. */
    retryStreams(): void;
  };
  /** Sees to it that what upstreams say in these sessions, by their ids, is heard here or elsewhere. */
  reclaimStreams(wanted: ReadonlyMap<string, ReclaimableSession>): Promise<void>;
  /** Hears what the server says by itself. */
  listen(to: ListenTo, events: ListenerEvents): UpstreamListener;
  /** Ends what is open under connections that are gone or were made anew. Keys as changes name them; undefined: any. */
  connectionsChanged(keys: Iterable<string> | undefined): void;
  /** For metrics: what requests took, and how it is with the servers that are in use. */
  readonly meters: UpstreamMeters;
  load(): ReadonlyMap<string, { readonly inside: number; readonly waiting: number; readonly paused: number }>;
  /** Calls and legacy sessions that are open, for metrics and tests. */
  stats(): { readonly calls: number; readonly sessions: number };
  /** Gives up what is under way and ends the sessions. */
  close(): Promise<void>;
}

const MAX_ANSWER_BYTES = 16 << 20;
const SWEEP_MS = 1000;
const LINGER_MS = 1000;
const NOTHING_TO_STOP: UpstreamCallHandle = { cancel() {}, pause() {}, resume() {} };

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { clock, logger, credentials, shared, limits, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  const bulkheads = new Bulkheads({ clock, limits, maxAnswerBytes });
  const calls = new OpenCalls<UpstreamCall>();
  let lastId = options.firstId ?? 0;
  const nextId = () => ++lastId;
  const limitsOf = (server: ServerEntry) => bulkheads.of(server).exchangeLimits;
  const routes = new UpstreamSessions({ ...options, nextId, limitsOf });
  const released = (call: UpstreamCall) => calls.delete(call);
  const listeners = new GrantedListeners();
  const endedGrants = new EndedGrants({ credentials, logger, calls, listeners, routes });
  const parts = { clock, logger, routes, nextId, released };
  let timer: Timer = clock.after(SWEEP_MS, sweep);

  /** One timer for all calls: the total deadline needs no precision, and a timer per call would cost each of them. */
  function sweep(): void {
    const now = clock.monotonic();
    for (const call of calls) endIfOverdue(call, now);
    bulkheads.sweep(now);
    routes.sweep();
    timer = clock.after(SWEEP_MS, sweep);
  }

  function send(
    server: ServerEntry,
    entry: UpstreamEntry,
    userId: string,
    credential: UpstreamCredential | undefined,
    request: RequestToUpstream,
    sink: UpstreamSink,
  ): UpstreamCallHandle {
    const bulkhead = bulkheads.of(server);
    const call = new UpstreamCall(parts, server, entry, bulkhead, userId, credential, request, sink);
    calls.add(call);
    bulkhead.enter(call);
    return call;
  }

  return {
    call(server, userId, request, sink) {
      if (!server.upstream) {
        const fault = new UpstreamFault("unreachable", "has no upstream yet", { nothingSent: true });
        sink.failed(fault.describe(server.slug));
        return NOTHING_TO_STOP;
      }
      if (server.upstream.authType === "none") return send(server, server.upstream, userId, undefined, request, sink);
      const { upstream } = server;
      const call = new AuthorizedCall(credentials, server, userId, sink, (credential, authorizedSink) =>
        send(server, upstream, userId, credential, request, authorizedSink),
      );
      call.start();
      return call;
    },
    post: (server, userId, to, body) => postTo({ routes, credentials }, server, userId, to, body),
    ofSession: routes.ofSession,
    reclaimStreams: (wanted) => reclaimStreams({ routes, credentials, shared }, wanted),
    listen: (to, events) => listeners.keep(to, events, (kept) => routes.listen(to, kept)),
    connectionsChanged: (keys) => endedGrants.changed(keys),
    meters: bulkheads.meters,
    load: () => bulkheads.load(),
    stats: () => ({ calls: calls.size, sessions: routes.sessionCount }),
    async close() {
      timer.cancel();
      await endedGrants.close();
      const isWaiting = (call: UpstreamCall) => call.stage === "waiting";
      // Those that wait first, so that none of them leaves now that there is room.
      for (const call of [...calls].sort((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)))) {
        call.stop(new UpstreamFault("cancelled", "was not waited for: the gateway is shutting down"));
        call.hangUp();
      }
      await routes.close();
    },
  };
}

function endIfOverdue(call: UpstreamCall, now: number): void {
  if (call.doneAt !== undefined) {
    if (now - call.doneAt > LINGER_MS) call.hangUp();
  } else if (now - call.startedAt > call.bulkhead.limits.totalMs) {
    const seconds = Math.round(call.bulkhead.limits.totalMs / 1000);
    call.stop(new UpstreamFault("timeout", `did not finish within ${seconds} s`));
  }
}
