/**
 * The pool of upstream sessions. A known session is found without waiting; `SessionOpener` adds new ones.
 */
import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { EraObserver, UpstreamCredential } from "../../ports.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import type { OpenUnderGrant } from "../calls/under-grant.ts";
import { UpstreamFault } from "../failure.ts";
import { SpokenEras, sameEras } from "../handshake/spoken-eras.ts";
import { createEndpoint, type Endpoint, isSameDestination, withCredential } from "../transport/endpoint.ts";
import type { ModernTransport, Transport } from "../transport/transport.ts";
import type { TransportTable } from "../transport/transports.ts";
import type { SessionSharing } from "./session-sharing.ts";
import { type Caller, isUnused, ownerOf, Target, type UpstreamSession } from "./upstream-session.ts";

const TARGET_IDLE_MS = 25 * 60 * 60 * 1000;
const MAX_SESSIONS = 10_000;
/** Well below the connections that egress opens to one origin, so that one is always left to post on. */
const MAX_STREAMS_PER_ORIGIN = 128;
const CLOSE_WAIT_MS = 2000;

export interface UpstreamSessionsOptions {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly eraObserver: EraObserver;
  readonly nextId: () => number;
  readonly transports: TransportTable;
  readonly sharing: SessionSharing;
}

export class UpstreamSessions {
  readonly #options: UpstreamSessionsOptions;
  readonly #targets = new Map<string, Target>();
  /** Least recently used first. */
  readonly #sessions = new Set<UpstreamSession>();
  /** Sessions whose grant has ended: they are closed with their last call. */
  readonly #retired = new Set<UpstreamSession>();
  readonly #shortestIdleMs: number;

  constructor(options: UpstreamSessionsOptions) {
    this.#options = options;
    const all = Object.values(options.transports).flat();
    this.#shortestIdleMs = Math.min(...all.map(({ sessionIdleMs }) => sessionIdleMs));
  }

  /** The session for this call when it needs no handshake. Never waits. */
  known(server: ServerEntry, entry: UpstreamEntry, caller: Caller, wanted: Era): UpstreamSession | undefined {
    const target = this.target(server, entry);
    const { isSharedByCallers, modern } = target.transport;
    if (isSharedByCallers) return target.shared?.connection.isOpen ? target.shared : undefined;
    const era = modern ? target.eras.choose(wanted) : "legacy";
    if (era === undefined) return undefined;
    const now = this.#options.clock.monotonic();
    if (wanted === "modern" && modern && target.eras.dueForRecheck("modern", now))
      this.#recheckModern(target, modern, withCredential(target.endpoint, caller.credential));
    target.usedAt = now;
    if (era === "legacy" && (target.asksOutsideCalls || target.lanes.areUsed)) caller.takeLane?.(target);
    const session = era === "modern" ? target.modern : target.sessions.get(ownerOf(caller));
    if (!session) return undefined;
    session.usedAt = now;
    if (era === "legacy") this.#touch(session);
    return session;
  }

  target(server: ServerEntry, entry: UpstreamEntry): Target {
    const known = this.#targets.get(server.id);
    if (known?.entry === entry) return known;
    const now = this.#options.clock.monotonic();
    if (known && isSameDestination(known.entry, entry)) {
      if (!sameEras(known.entry.eras, entry.eras)) known.eras = new SpokenEras(entry.eras, now);
      known.entry = entry;
      return known;
    }
    // Calls that are open end with the URL and credential that they began with.
    for (const session of known?.sessions.values() ?? []) this.#retire(session);
    const endpoint = createEndpoint(entry.url, this.#options, entry.headers);
    const target = new Target(server, entry, endpoint, this.#options.transports[entry.transport], now);
    this.#targets.set(server.id, target);
    return target;
  }

  /** For requests that need no session. */
  endpointTo(server: ServerEntry, entry: UpstreamEntry, credential: UpstreamCredential | undefined): Endpoint {
    return withCredential(this.target(server, entry).endpoint, credential);
  }

  [Symbol.iterator](): Iterator<UpstreamSession> {
    return this.#sessions.values();
  }

  /** All sessions of a caller's session. */
  ofMcpSession(id: string): UpstreamSession[] {
    return [...this.#sessions].filter(({ mcpSession }) => mcpSession?.id === id);
  }

  get size(): number {
    return this.#sessions.size + this.#retired.size;
  }

  /** Calls find this session from now on. */
  keep(session: UpstreamSession): void {
    session.usedAt = this.#options.clock.monotonic();
    session.target.sessions.set(session.owner, session);
    this.#touch(session);
    this.#makeRoom();
  }

  /** For a session whose grant has ended: only the call that opened it uses it. The next sweep closes it when unused. */
  keepForOneCall(session: UpstreamSession): void {
    this.#retired.add(session);
  }

  /** Records whether the upstream speaks an era, and reports the set of eras when it changed. */
  learn(target: Target, era: Era, spoken: boolean): void {
    const before = target.eras.speaks(era);
    target.eras.learn(era, spoken, this.#options.clock.monotonic());
    const eras = target.eras.eras();
    if (before !== spoken && eras && eras.length > 0) this.#options.eraObserver.observed(target.server, eras);
  }

  found(target: Target, transport: Transport): void {
    target.found(transport, this.#options.clock.monotonic());
  }

  /** The upstream no longer knows the session. */
  lost(session: UpstreamSession): void {
    this.#options.sharing.lost(session);
    this.#forget(session);
  }

  /** The upstream reported that it does not speak this era. */
  contradicted(session: UpstreamSession): void {
    this.learn(session.target, session.connection.era, false);
    this.lost(session);
  }

  /** The response makes no sense in this era: the next call checks it. */
  doubtful(session: UpstreamSession): void {
    session.target.eras.doubt(session.connection.era);
    this.lost(session);
  }

  *underGrants(): Generator<OpenUnderGrant> {
    for (const session of this.#sessions) {
      const { granted, target } = session;
      if (granted) yield { ...granted, serverId: target.server.id, end: () => this.#retire(session) };
    }
  }

  hasRoomForStream(origin: string): boolean {
    return this.#streamsTo(origin).length < MAX_STREAMS_PER_ORIGIN;
  }

  /** Closes an unused session that holds a stream to that origin if there are too many. Throws if all are in use. */
  makeRoomForStream(origin: string): void {
    const streams = this.#streamsTo(origin);
    if (streams.length < MAX_STREAMS_PER_ORIGIN) return;
    const unused = streams.find(isUnused);
    if (!unused) throw new UpstreamFault("busy", "has too many event streams open", { nothingSent: true });
    void this.#release(unused);
  }

  /** Closes idle sessions, and forgets servers without calls. */
  sweep(): void {
    const now = this.#options.clock.monotonic();
    for (const session of this.#sessions) {
      const idle = now - session.usedAt;
      if (idle < this.#shortestIdleMs) break;
      if (isUnused(session) && idle >= session.connection.transport.sessionIdleMs) void this.#release(session);
    }
    for (const session of this.#retired) if (session.inFlight === 0) void this.end(session);
    this.#options.sharing.sweep(this.#sessions, now);
    for (const [id, target] of this.#targets) {
      if (target.sessions.size === 0 && now - target.usedAt > TARGET_IDLE_MS) this.#targets.delete(id);
    }
  }

  async end(session: UpstreamSession): Promise<void> {
    this.lost(session);
    await session.connection.close();
  }

  async close(): Promise<void> {
    // Shared sessions stay open: other processes use them, or this one after a restart.
    for (const session of this.#sessions) if (session.sharedId !== undefined) this.#forget(session);
    const ended = Promise.all([...this.#sessions, ...this.#retired].map((session) => this.end(session)));
    await Promise.race([ended, new Promise<void>((resolve) => this.#options.clock.after(CLOSE_WAIT_MS, resolve))]);
    this.#targets.clear();
  }

  /** In the background: the call that found the result outdated does not wait. */
  #recheckModern(target: Target, modern: ModernTransport, endpoint: Endpoint): void {
    modern.discover(endpoint).then(
      ({ spoken, failure }) => failure || this.learn(target, "modern", spoken),
      // Without a response nothing is learned.
      () => undefined,
    );
  }

  #touch(session: UpstreamSession): void {
    this.#sessions.delete(session);
    this.#sessions.add(session);
  }

  #makeRoom(): void {
    for (const session of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS) return;
      if (isUnused(session)) void this.#release(session);
    }
  }

  #streamsTo(origin: string): UpstreamSession[] {
    const holdsStream = ({ connection, stream }: UpstreamSession) => connection.transport.isConnectionBound || stream;
    return [...this.#sessions].filter((session) => holdsStream(session) && session.endpoint.origin === origin);
  }

  #forget(session: UpstreamSession): void {
    this.#unlist(session);
    this.#retired.delete(session);
    session.stream?.close();
  }

  #retire(session: UpstreamSession): void {
    this.#unlist(session);
    this.#retired.add(session);
    if (session.inFlight === 0) void this.end(session);
  }

  #unlist(session: UpstreamSession): void {
    const { target, owner } = session;
    if (target.sessions.get(owner) === session) target.sessions.delete(owner);
    this.#sessions.delete(session);
  }

  /** This process no longer needs it. */
  async #release(session: UpstreamSession): Promise<void> {
    this.#forget(session);
    if (await this.#options.sharing.release(session)) await this.end(session);
  }
}
