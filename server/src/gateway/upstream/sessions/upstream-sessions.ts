/**
 * How a call gets to its upstream: which era, under which headers, in which session. A known route is found without
 * waiting; a new one costs a handshake, which callers that want the same one share.
 */
import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { EraObserver, SharedSessions } from "../../ports.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import type { OpenUnderGrant } from "../calls/under-grant.ts";
import { UpstreamFault } from "../failure.ts";
import { openSseChannel } from "../handshake/channel-handshake.ts";
import { type Endpoint, endLegacySession } from "../handshake/handshake.ts";
import { SpokenEras, sameEras } from "../handshake/spoken-eras.ts";
import { type ChannelToHear, hearChannel } from "../listen/channel-listener.ts";
import {
  type ListenerEvents,
  type ListenTo,
  listenLater,
  listenToUpstream,
  type UpstreamListener,
} from "../listen/listener.ts";
import { hearSession } from "../listen/session-listener.ts";
import type { ExchangeLimits } from "../transport/exchange.ts";
import type { LocalServers } from "../transport/local-servers.ts";
import { endpointFor, SessionOpener } from "./session-opener.ts";
import { SessionSharing } from "./session-sharing.ts";
import { MAX_STREAMS_PER_ORIGIN, SessionSideband } from "./session-sideband.ts";
import { type Caller, ownerOf, Target, type UpstreamSession } from "./target.ts";

export type { Caller, UpstreamSession } from "./target.ts";

const SESSION_IDLE_MS = 30 * 60 * 1000;
/** A stream holds a connection, or a process, all the time. */
const CHANNEL_IDLE_MS = 10 * 60 * 1000;
const TARGET_IDLE_MS = 25 * 60 * 60 * 1000;
const MAX_SESSIONS = 10_000;
const CLOSE_WAIT_MS = 2000;

export interface UpstreamSessionsOptions {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly eraObserver: EraObserver;
  readonly nextId: () => number;
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
  readonly localServers: LocalServers;
  /** Undefined: no other process goes on with what this one opens. */
  readonly shared?: SharedSessions;
}

export class UpstreamSessions {
  readonly #options: UpstreamSessionsOptions;
  readonly #targets = new Map<string, Target>();
  /** In order of use, oldest first. */
  readonly #sessions = new Set<UpstreamSession>();
  /** Their grant has ended: they end with their last call. */
  readonly #retired = new Set<UpstreamSession>();
  readonly #sharing: SessionSharing;
  readonly #opening: SessionOpener;
  /** What sessions have beside their calls. */
  readonly ofSession: SessionSideband;

  constructor(options: UpstreamSessionsOptions) {
    this.#options = options;
    this.ofSession = new SessionSideband(this.#sessions, {
      limitsOf: options.limitsOf,
      end: (route) => this.#end(route),
    });
    const now = options.clock.monotonic();
    this.#sharing = new SessionSharing(options.shared, this.ofSession, now);
    this.#opening = new SessionOpener({
      ...options,
      sharing: this.#sharing,
      sideband: this.ofSession,
      keep: (route) => this.#keep(route),
      keepForOneCall: (route) => this.#keepForOneCall(route),
      lost: (route) => this.lost(route),
      makeRoomForStream: (origin) => this.#makeRoomForStream(origin),
    });
  }

  /** The route when all about it is known; never waits. */
  known(server: ServerEntry, entry: UpstreamEntry, caller: Caller, wanted: Era): UpstreamSession | undefined {
    const target = this.#target(server, entry);
    if (entry.transport === "stdio") return target.local?.channel?.isOpen ? target.local : undefined;
    const era = target.overChannel ? "legacy" : target.spoken.choose(wanted);
    if (era === undefined) return undefined;
    const now = this.#options.clock.monotonic();
    if (wanted === "modern" && !target.overChannel && target.spoken.dueForRecheck("modern", now))
      this.#opening.askAgainForModern(target, endpointFor(target, caller.credential));
    target.usedAt = now;
    const route = era === "modern" ? target.modern : target.sessions.get(ownerOf(caller));
    if (!route) return undefined;
    route.usedAt = now;
    if (era === "legacy") this.#touch(route);
    return route;
  }

  /** Asks the upstream for what is not known yet, the caller's era first. Rejects with UpstreamFault. */
  async open(server: ServerEntry, entry: UpstreamEntry, caller: Caller, wanted: Era): Promise<UpstreamSession> {
    return this.#opening.open(this.#target(server, entry), caller, wanted);
  }

  /** For what needs no session of ours. */
  endpointTo({ server, entry, credential }: Pick<ListenTo, "server" | "entry" | "credential">): Endpoint {
    return endpointFor(this.#target(server, entry), credential);
  }

  listen(to: ListenTo, events: ListenerEvents): UpstreamListener {
    const { overChannel } = this.#target(to.server, to.entry);
    const overPipe = to.entry.transport === "stdio" || overChannel;
    const { userId, session, resources } = to;
    if (overPipe || to.era === "modern" || !resources || !session || userId === undefined)
      return this.#listenApart(to, events);
    return listenLater(events, async () => {
      const caller = { userId, session, credential: to.credential };
      const { server, entry } = to;
      const route = this.known(server, entry, caller, "legacy") ?? (await this.open(server, entry, caller, "legacy"));
      const stream = await this.ofSession.streamOf(route);
      return () => (stream ? hearSession({ route, stream, resources }, events) : this.#listenApart(to, events));
    });
  }

  /** In a session of its own, where it is not over a pipe. */
  #listenApart(to: ListenTo, events: ListenerEvents): UpstreamListener {
    const target = this.#target(to.server, to.entry);
    const hearPipe = () => hearChannel(this.#pipeTo(target, to), events);
    const { transport } = to.entry;
    if (transport === "stdio" || target.overChannel) return hearPipe();
    let listener = listenToUpstream(this.endpointTo(to), to, {
      ...events,
      ended(why) {
        if (why !== "unspoken") events.ended(why);
        else if (transport === "http") events.ended("never");
        else listener = hearPipe();
      },
    });
    return { close: () => listener.close(), forget: (uri) => listener.forget?.(uri) };
  }

  /** How to hear a server over a pipe. Of resources it speaks in the session in which the caller's requests come. */
  #pipeTo(target: Target, to: ListenTo): ChannelToHear {
    const { localServers, limitsOf, logger, clock, nextId } = this.#options;
    const { server, entry, resources, userId, session, credential } = to;
    if (entry.transport === "stdio") {
      const open = () => localServers.open(entry.url);
      return { open, own: false, resources, clock, nextId: localServers.nextId };
    }
    if (resources && userId !== undefined) {
      const open = async () => {
        const { channel } = await this.open(server, entry, { userId, session, credential }, "legacy");
        return channel ?? Promise.reject(new UpstreamFault("unreachable", "has changed its transport"));
      };
      return { open, own: false, resources, clock, nextId };
    }
    const open = async () => {
      const channel = await openSseChannel(this.endpointTo(to), { ...limitsOf(server), logger });
      if (channel) target.foundOverChannel(clock.monotonic());
      return channel;
    };
    return { open, own: true, resources, clock, nextId };
  }

  /** The upstream does not know the session any more. */
  lost(route: UpstreamSession): void {
    this.#sharing.lost(route);
    this.#forget(route);
  }

  #forget(route: UpstreamSession): void {
    if (route.target.sessions.get(route.owner) === route) route.target.sessions.delete(route.owner);
    this.#sessions.delete(route);
    this.#retired.delete(route);
    route.stream?.close();
  }

  /** All that is open, or about to be, under users' grants. */
  *underGrants(): Generator<OpenUnderGrant> {
    for (const route of this.#sessions) {
      if (route.granted) yield { ...route.granted, serverId: route.target.server.id, end: () => this.#retire(route) };
    }
    yield* this.#opening.underGrants();
  }

  #retire(route: UpstreamSession): void {
    if (route.target.sessions.get(route.owner) === route) route.target.sessions.delete(route.owner);
    this.#sessions.delete(route);
    this.#retired.add(route);
    if (route.inFlight === 0) void this.#end(route);
  }

  /** The upstream said that it does not speak this era. */
  contradicted(route: UpstreamSession): void {
    this.#opening.learn(route.target, route.era, false);
    this.lost(route);
  }

  /** The answer makes no sense in this era: ask before the next call. */
  doubtful(route: UpstreamSession): void {
    route.target.spoken.doubt(route.era);
    this.lost(route);
  }

  /** Ends sessions that nobody used for a while, and forgets servers that nobody calls. */
  sweep(): void {
    const now = this.#options.clock.monotonic();
    for (const route of this.#sessions) {
      const idle = now - route.usedAt;
      if (idle < CHANNEL_IDLE_MS) break;
      if (isUnused(route) && (route.channel || idle >= SESSION_IDLE_MS)) void this.#release(route);
    }
    for (const route of this.#retired) if (route.inFlight === 0) void this.#end(route);
    this.#sharing.sweep(this.#sessions, now);
    for (const [id, target] of this.#targets) {
      if (target.sessions.size === 0 && now - target.usedAt > TARGET_IDLE_MS) this.#targets.delete(id);
    }
  }

  get sessionCount(): number {
    return this.#sessions.size + this.#retired.size;
  }

  async close(): Promise<void> {
    // Those that are shared stay: other processes go on with them, or this one when it is back.
    for (const route of this.#sessions) if (route.sharedId !== undefined) this.#forget(route);
    const ended = Promise.all([...this.#sessions, ...this.#retired].map((route) => this.#end(route)));
    await Promise.race([ended, new Promise<void>((resolve) => this.#options.clock.after(CLOSE_WAIT_MS, resolve))]);
    this.#targets.clear();
  }

  #target(server: ServerEntry, entry: UpstreamEntry): Target {
    const known = this.#targets.get(server.id);
    if (known?.entry === entry) return known;
    const now = this.#options.clock.monotonic();
    if (known && known.entry.url === entry.url && known.entry.transport === entry.transport) {
      if (!sameEras(known.entry.eras, entry.eras)) known.spoken = new SpokenEras(entry.eras, now);
      known.entry = entry;
      return known;
    }
    for (const route of known?.sessions.values() ?? []) void this.#end(route);
    const target = this.#newTarget(server, entry, now);
    this.#targets.set(server.id, target);
    return target;
  }

  #newTarget(server: ServerEntry, entry: UpstreamEntry, now: number): Target {
    const url = new URL(entry.url);
    const { egress, clock, nextId } = this.#options;
    const path = url.pathname + url.search;
    const { origin } = url;
    const endpoint = { wire: () => egress.wire(origin), clock, origin, path, nextId, extraHeaders: [] };
    return new Target(server, entry, endpoint, now);
  }

  #keep(route: UpstreamSession): UpstreamSession {
    route.usedAt = this.#options.clock.monotonic();
    route.target.sessions.set(route.owner, route);
    this.#touch(route);
    this.#makeRoom();
    return route;
  }

  /** The next sweep finds it used, or ends it. */
  #keepForOneCall(route: UpstreamSession): UpstreamSession {
    this.#retired.add(route);
    return route;
  }

  #touch(route: UpstreamSession): void {
    this.#sessions.delete(route);
    this.#sessions.add(route);
  }

  #makeRoom(): void {
    for (const route of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS) return;
      if (isUnused(route)) void this.#release(route);
    }
  }

  #makeRoomForStream(origin: string): void {
    const streams = this.ofSession.streamsTo(origin);
    if (streams.length < MAX_STREAMS_PER_ORIGIN) return;
    const unused = streams.find(isUnused);
    if (!unused) throw new UpstreamFault("busy", "has too many event streams open", { nothingSent: true });
    void this.#release(unused);
  }

  /** Nobody needs it here any more. */
  async #release(route: UpstreamSession): Promise<void> {
    this.#forget(route);
    if (await this.#sharing.release(route)) await this.#end(route);
  }

  async #end(route: UpstreamSession): Promise<void> {
    this.lost(route);
    route.channel?.close();
    if (route.sessionId === undefined) return;
    await endLegacySession(route.endpoint, [...route.headers, ...route.endpoint.extraHeaders]);
  }
}

function isUnused({ inFlight, channel, stream }: UpstreamSession): boolean {
  return inFlight === 0 && !channel?.isHeard && !stream?.isHeard;
}
