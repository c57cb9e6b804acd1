/** Sends requests to upstreams over any transport and in both eras of the protocol. */
import type { Egress } from "#egress/egress";
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type { EraObserver, UpstreamCredential, UpstreamCredentials } from "../ports.ts";
import type { SharedSessions, UpstreamAddress } from "../session-ports.ts";
import type { McpSession } from "../sessions/sessions.ts";
import type { ServerLimits } from "../snapshot/limits.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { AuthorizedCall } from "./calls/authorized-call.ts";
import { type CallableServer, UpstreamCall } from "./calls/call.ts";
import { EndedGrants } from "./calls/ended-grants.ts";
import { OpenCalls } from "./calls/open-calls.ts";
import { postTo } from "./calls/post-to.ts";
import type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "./calls/sink.ts";
import { UpstreamFault } from "./failure.ts";
import { Bulkheads } from "./limits/bulkheads.ts";
import type { UpstreamMeters } from "./limits/upstream-meter.ts";
import { GrantedListeners } from "./listen/granted-listeners.ts";
import { type ListenerEvents, type ListenTo, listenToUpstream, type UpstreamListener } from "./listen/listener.ts";
import { openNotificationSource } from "./listen/open-notification-source.ts";
import { LogLevels } from "./sessions/log-levels.ts";
import { type ReclaimableSession, reclaimStreams } from "./sessions/reclaim-streams.ts";
import { SessionOpener } from "./sessions/session-opener.ts";
import { SessionSharing } from "./sessions/session-sharing.ts";
import { SessionSideband } from "./sessions/session-sideband.ts";
import type { MessageListener, SessionCall } from "./sessions/upstream-session.ts";
import { UpstreamSessions } from "./sessions/upstream-sessions.ts";
import type { ExchangeLimits } from "./transport/exchange.ts";
import type { LocalServers } from "./transport/local-servers.ts";
import { createTransports, type TransportTable } from "./transport/transports.ts";

export type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "./calls/sink.ts";
export type { UpstreamFailure, UpstreamFailureKind } from "./failure.ts";

export interface UpstreamsOptions {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly eraObserver: EraObserver;
  readonly localServers: LocalServers;
  readonly credentials: UpstreamCredentials;
  /** Undefined if no other process resumes the sessions of this one. */
  readonly shared?: SharedSessions;
  /** The limits of servers without their own; read at each call. */
  readonly limits: () => ServerLimits;
  readonly maxAnswerBytes?: number;
  /**
   * The first JSON-RPC id, default 0. Processes that share a session must use different ids at the same time, because
   * the server identifies the requests of a session by them.
   */
  readonly firstId?: number;
  /** Default: all transports of `transport/transports.ts`. */
  readonly transports?: TransportTable;
}

export interface Upstreams {
  /**
   * Sends one request. When era and session are known, it is sent before this returns, and the sink may have received a
   * failure by then. Throws nothing.
   */
  call(server: ServerEntry, userId: string, request: RequestToUpstream, sink: UpstreamSink): UpstreamCallHandle;
  /** Posts a message into an upstream session that any process may have opened. Never rejects for the upstream. */
  post(server: ServerEntry, userId: string, to: UpstreamAddress, body: Buffer): Promise<void>;
  /** The upstream sessions of a caller's session at this process. */
  readonly ofSession: {
    notify(session: McpSession, body: Buffer): Promise<void>;
    /** Sets the log level, unless a later request than `at` is known. */
    setLogLevel(session: Pick<McpSession, "id">, level: string, at: number): Promise<void>;
    end(session: Pick<McpSession, "id">): Promise<void>;
    /** Sets the receiver of messages that no call claims. */
    setListener(listener: MessageListener): void;
    /** A message that another process received in a session of that server. False if no call here takes it. */
    offer(
      session: Pick<McpSession, "id">,
      serverId: string,
      from: UpstreamAddress,
      message: UpstreamRequest | UpstreamNotification,
    ): boolean;
    /** The open calls in these sessions. */
    callsOf(sessionIds: ReadonlySet<string>): ReadonlyMap<string, readonly SessionCall[]>;
    /** Another process is gone, so its streams may be available. */
    retryStreams(): void;
  };
  /**
   * Resumes the upstream sessions that other processes opened for these MCP sessions, by their ids. Resolves to false if
   * the database could not be asked which these are.
   */
  reclaimStreams(wanted: ReadonlyMap<string, ReclaimableSession>): Promise<boolean>;
  /** Listens to notifications of a server. */
  listen(to: ListenTo, events: ListenerEvents): UpstreamListener;
  /** Ends what is open under connections that are gone or were replaced. Keys as in change rows; undefined: any. */
  connectionsChanged(keys: Iterable<string> | undefined): void;
  /** For metrics: request durations, and the load of servers in use. */
  readonly meters: UpstreamMeters;
  load(): ReadonlyMap<string, { readonly inside: number; readonly waiting: number; readonly paused: number }>;
  /** Open calls and legacy sessions, for metrics and tests. */
  stats(): { readonly calls: number; readonly sessions: number };
  /** Stops open calls and ends the sessions. */
  close(): Promise<void>;
}

const MAX_ANSWER_BYTES = 16 << 20;
const SWEEP_MS = 1000;
const LINGER_MS = 1000;
const NOTHING_TO_STOP: UpstreamCallHandle = { cancel() {}, pause() {}, resume() {} };

interface SessionPartsOptions extends UpstreamsOptions {
  readonly nextId: () => number;
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
}

function createSessionParts(options: SessionPartsOptions) {
  const { localServers, shared, clock, transports = createTransports({ localServers }) } = options;
  const levels = new LogLevels();
  const sharing = new SessionSharing(shared, levels, clock.monotonic());
  const sessions = new UpstreamSessions({ ...options, transports, sharing });
  const sideband = new SessionSideband({ ...options, sessions, levels });
  const opener = new SessionOpener({ ...options, sessions, sharing, sideband });
  return { sessions, sideband, opener };
}

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { egress, clock, logger, credentials, shared, limits, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  const bulkheads = new Bulkheads({ clock, pacer: egress.pacer, limits, maxAnswerBytes });
  const calls = new OpenCalls<UpstreamCall>();
  let lastId = options.firstId ?? 0;
  const nextId = () => ++lastId;
  const limitsOf = (server: ServerEntry) => bulkheads.of(server).exchangeLimits;
  const parts = createSessionParts({ ...options, nextId, limitsOf });
  const { sessions, opener, sideband } = parts;
  const released = (call: UpstreamCall) => calls.delete(call);
  const listeners = new GrantedListeners();
  const endedGrants = new EndedGrants({ credentials, logger, calls, listeners, sessions, opener });
  const callDependencies = { clock, logger, bulkheads, sessions, opener, nextId, released };
  let timer: Timer = clock.after(SWEEP_MS, sweep);

  /** One timer for all calls: total deadlines need no precision, and a timer per call would slow each of them. */
  function sweep(): void {
    const now = clock.monotonic();
    for (const call of calls) check(call, now);
    bulkheads.sweep(now);
    sessions.sweep();
    timer = clock.after(SWEEP_MS, sweep);
  }

  function send(
    server: CallableServer,
    userId: string,
    credential: UpstreamCredential | undefined,
    request: RequestToUpstream,
    sink: UpstreamSink,
  ): UpstreamCallHandle {
    const call = new UpstreamCall(callDependencies, server, userId, credential, request, sink);
    calls.add(call);
    call.bulkhead.enter(call);
    return call;
  }

  return {
    call(server, userId, request, sink) {
      if (!isCallable(server)) {
        const fault = new UpstreamFault("unreachable", "has no upstream yet", { nothingSent: true });
        sink.failed(fault.describe(server.slug));
        return NOTHING_TO_STOP;
      }
      if (server.upstream.authType === "none") return send(server, userId, undefined, request, sink);
      const call = new AuthorizedCall(credentials, server, userId, sink, (credential, authorizedSink) =>
        send(server, userId, credential, request, authorizedSink),
      );
      call.start();
      return call;
    },
    post: (server, userId, to, body) => postTo({ sessions, credentials }, server, userId, to, body),
    ofSession: sideband,
    reclaimStreams: (wanted) => reclaimStreams({ sessions, opener, credentials, shared }, wanted),
    listen: (to, events) =>
      listeners.keep(to, events, (kept) => listenToUpstream(to, () => openNotificationSource(parts, to), kept)),
    connectionsChanged: (keys) => endedGrants.changed(keys),
    meters: bulkheads.meters,
    load: () => bulkheads.load(),
    stats: () => ({ calls: calls.size, sessions: sessions.size }),
    async close() {
      timer.cancel();
      await endedGrants.close();
      const isWaiting = (call: UpstreamCall) => call.stage === "waiting";
      // Queued calls first, so that none of them is sent when there is room.
      for (const call of [...calls].sort((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)))) {
        call.stop(new UpstreamFault("cancelled", "did not respond: the gateway is shutting down"));
        call.hangUp();
      }
      await sessions.close();
    },
  };
}

function isCallable(server: ServerEntry): server is CallableServer {
  return server.upstream !== undefined;
}

function check(call: UpstreamCall, now: number): void {
  if (call.doneAt !== undefined) {
    if (now - call.doneAt > LINGER_MS) call.hangUp();
  } else if (now - call.startedAt > call.bulkhead.limits.totalMs) {
    const seconds = Math.round(call.bulkhead.limits.totalMs / 1000);
    call.stop(new UpstreamFault("timeout", `did not finish within ${seconds} s`));
  } else call.waiting(now);
}
