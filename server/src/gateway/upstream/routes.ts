/**
 * How a call gets to its upstream: which era, under which headers, in which session. A known route is found without
 * waiting; a new one costs a handshake, which callers that want the same one share.
 */
import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { SingleFlight } from "#lib/single-flight";
import type { EraObserver, SharedSession, SharedSessions, UpstreamCredential } from "../ports.ts";
import type { McpSession } from "../sessions/sessions.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../snapshot/shape.ts";
import { openSseChannel } from "./channel-session.ts";
import { UpstreamFault } from "./failure.ts";
import { endLegacySession, type Line, notSpoken, openLegacySession, speaksModern } from "./handshake.ts";
import { legacyHeaders } from "./headers.ts";
import type { LocalServers } from "./local-servers.ts";
import type { ExchangeLimits } from "./post.ts";
import { MAX_STREAMS_PER_ORIGIN, SessionCare } from "./session-care.ts";
import { SessionSharing } from "./session-sharing.ts";
import { otherEra, SpokenEras, sameEras } from "./spoken-eras.ts";
import { type Caller, newRoute, ownerOf, type Route, Target } from "./target.ts";

export type { Caller, Route } from "./target.ts";

const SESSION_IDLE_MS = 30 * 60 * 1000;
/** A stream holds a connection, or a process, all the time. */
const CHANNEL_IDLE_MS = 10 * 60 * 1000;
const SSE_VERDICT_MS = 24 * 60 * 60 * 1000;
const TARGET_IDLE_MS = 25 * 60 * 60 * 1000;
const MAX_SESSIONS = 10_000;
const CLOSE_WAIT_MS = 2000;

export interface RoutesOptions {
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

export class Routes {
  readonly #options: RoutesOptions;
  readonly #targets = new Map<string, Target>();
  /** In order of use, oldest first. */
  readonly #sessions = new Set<Route>();
  readonly #discovering = new SingleFlight<boolean>();
  readonly #opening = new SingleFlight<Route | undefined>();
  readonly #sharing: SessionSharing;
  /** What sessions have beside their calls. */
  readonly ofSession: SessionCare;

  constructor(options: RoutesOptions) {
    this.#options = options;
    this.ofSession = new SessionCare(this.#sessions, { limitsOf: options.limitsOf, end: (route) => this.#end(route) });
    const now = options.clock.monotonic();
    this.#sharing = new SessionSharing(options.shared, this.ofSession, now);
  }

  /** The route when all about it is known; never waits. */
  known(server: ServerEntry, entry: UpstreamEntry, caller: Caller, wanted: Era): Route | undefined {
    const target = this.#target(server, entry);
    if (entry.transport === "stdio") return target.local?.channel?.isOpen ? target.local : undefined;
    const era = target.overChannel ? "legacy" : target.spoken.choose(wanted);
    if (era === undefined) return undefined;
    const now = this.#options.clock.monotonic();
    if (wanted === "modern" && !target.overChannel && target.spoken.dueForRecheck("modern", now))
      this.#askAgainForModern(target, lineFor(target, caller.credential));
    target.usedAt = now;
    const route = era === "modern" ? target.modern : target.sessions.get(ownerOf(caller));
    if (!route) return undefined;
    route.usedAt = now;
    if (era === "legacy") this.#touch(route);
    return route;
  }

  /** Asks the upstream for what is not known yet, the caller's era first. Rejects with UpstreamFault. */
  async open(server: ServerEntry, entry: UpstreamEntry, caller: Caller, wanted: Era): Promise<Route> {
    const target = this.#target(server, entry);
    const { session, credential } = caller;
    const [owner, line] = [ownerOf(caller), lineFor(target, credential)];
    // A renewed credential must not wait for what becomes of the one before: its refusal would count as this one's.
    const party = { owner, line, session, flight: [target.key, owner, ...line.extraHeaders].join(" ") };
    const { transport } = entry;
    if (transport === "stdio") return this.#overStdio(target);
    // A verdict "HTTP+SSE" would never correct itself otherwise.
    const since = this.#options.clock.monotonic() - target.overChannelSince;
    if (transport === "both" && since > SSE_VERDICT_MS) target.overChannel = false;
    const route = target.overChannel ? undefined : await this.#overHttp(target, party, wanted);
    if (route) return route;
    const channel = transport === "http" ? undefined : await this.#overSse(target, party);
    if (channel) return channel;
    throw new UpstreamFault("bad-answer", notSpoken(transport), { nothingSent: true });
  }

  async #overHttp(target: Target, party: Party, wanted: Era): Promise<Route | undefined> {
    const believedSomething = target.spoken.isKnown;
    const route = await this.#firstSpoken(target, party, wanted);
    if (route) return route;
    target.spoken.forget();
    // What we believed was wrong: once more from knowing nothing.
    const second = believedSomething ? await this.#firstSpoken(target, party, wanted) : undefined;
    if (!second) target.spoken.forget();
    return second;
  }

  /** For what needs no session of ours. */
  lineTo(server: ServerEntry, entry: UpstreamEntry, credential: UpstreamCredential | undefined): Line {
    return lineFor(this.#target(server, entry), credential);
  }

  /** The upstream does not know the session any more. */
  lost(route: Route): void {
    this.#sharing.lost(route);
    this.#forget(route);
  }

  #forget(route: Route): void {
    if (route.target.sessions.get(route.owner) === route) route.target.sessions.delete(route.owner);
    this.#sessions.delete(route);
    route.stream?.close();
  }

  /** The upstream said that it does not speak this era. */
  contradicted(route: Route): void {
    this.#learn(route.target, route.era, false);
    this.lost(route);
  }

  /** The answer makes no sense in this era: ask before the next call. */
  doubtful(route: Route): void {
    route.target.spoken.doubt(route.era);
    this.lost(route);
  }

  /** Ends sessions that nobody used for a while, and forgets servers that nobody calls. */
  sweep(): void {
    const now = this.#options.clock.monotonic();
    for (const route of this.#sessions) {
      const idle = now - route.usedAt;
      if (idle < CHANNEL_IDLE_MS) break;
      if (route.inFlight === 0 && (route.channel || idle >= SESSION_IDLE_MS)) void this.#release(route);
    }
    this.#sharing.sweep(this.#sessions, now);
    for (const [id, target] of this.#targets) {
      if (target.sessions.size === 0 && now - target.usedAt > TARGET_IDLE_MS) this.#targets.delete(id);
    }
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  async close(): Promise<void> {
    // Those that are shared stay: other processes go on with them, or this one when it is back.
    for (const route of this.#sessions) if (route.sharedId !== undefined) this.#forget(route);
    const ended = Promise.all([...this.#sessions].map((route) => this.#end(route)));
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
    const line = { wire: () => egress.wire(origin), clock, origin, path, nextId, extraHeaders: [] };
    return new Target(server, entry, line, now);
  }

  async #firstSpoken(target: Target, party: Party, wanted: Era): Promise<Route | undefined> {
    for (const era of [wanted, otherEra(wanted)]) {
      if (target.spoken.speaks(era) === false) continue;
      const route = await (era === "modern" ? this.#tryModern(target, party) : this.#tryLegacy(target, party));
      if (route) return route;
    }
    return undefined;
  }

  async #tryModern(target: Target, { line, flight }: Party): Promise<Route | undefined> {
    if (target.spoken.speaks("modern") !== true) {
      // With a credential, an answer may be about that alone, and no other user's.
      const key = line === target.line ? target.key : flight;
      const spoken = await this.#discovering.run(key, () => speaksModern(line));
      this.#learn(target, "modern", spoken);
    }
    return target.spoken.speaks("modern") ? target.modern : undefined;
  }

  #tryLegacy(target: Target, party: Party): Promise<Route | undefined> {
    const { owner, line, session: mcpSession } = party;
    return this.#opening.run(party.flight, async () => {
      const found = await this.#sharing.find(target, owner, mcpSession);
      const taken = await this.#takeOver(target, party, found);
      if (taken) return taken;
      const session = await openLegacySession(line, mcpSession?.capabilities);
      this.#learn(target, "legacy", session !== undefined);
      if (!session) return undefined;
      const route = legacyRoute(target, party, { ...session, logs: session.capabilities?.logging !== undefined });
      // What was found and could not be taken over stays where it is: this one is for this process alone.
      const earlier = found ? undefined : await this.#takeOver(target, party, await this.#sharing.share(route));
      if (earlier) {
        void endLegacySession(line, [...route.headers, ...line.extraHeaders]);
        return earlier;
      }
      await this.ofSession.prepare(route);
      return this.#keep(route);
    });
  }

  /** Goes on with what another process has opened, or this one before it was restarted. */
  async #takeOver(target: Target, party: Party, shared: SharedSession | undefined): Promise<Route | undefined> {
    if (!shared) return undefined;
    this.#learn(target, "legacy", true);
    const route = legacyRoute(target, party, shared);
    route.sharedId = shared.id;
    return (await this.ofSession.prepareTaken(route)) ? this.#keep(route) : undefined;
  }

  /** Legacy always: the transport is older than the other era. */
  #overSse(target: Target, { owner, line, flight, session: mcpSession }: Party): Promise<Route | undefined> {
    return this.#opening.run(`sse ${flight}`, async () => {
      const open = target.sessions.get(owner);
      if (open?.channel) return open;
      this.#makeRoomForStream(target.line.origin);
      const { limitsOf, logger } = this.#options;
      const limits = { ...limitsOf(target.server), logger };
      const channel = await openSseChannel(line, limits, mcpSession?.capabilities);
      if (!channel) return undefined;
      if (!target.overChannel) target.overChannelSince = this.#options.clock.monotonic();
      target.overChannel = true;
      const route = newRoute(target, line, "legacy", [], {
        owner,
        mcpSession,
        channel,
        logs: channel.capabilities?.logging !== undefined,
      });
      channel.ofOneSession = mcpSession !== undefined;
      channel.onEnd = () => this.lost(route);
      await this.ofSession.prepare(route);
      return this.#keep(route);
    });
  }

  async #overStdio(target: Target): Promise<Route> {
    const channel = await this.#options.localServers.open(target.entry.url);
    if (target.local?.channel !== channel) target.local = newRoute(target, target.line, channel.era, [], { channel });
    return target.local;
  }

  #keep(route: Route): Route {
    route.usedAt = this.#options.clock.monotonic();
    route.target.sessions.set(route.owner, route);
    this.#touch(route);
    this.#makeRoom();
    return route;
  }

  #learn(target: Target, era: Era, spoken: boolean): void {
    const before = target.spoken.speaks(era);
    target.spoken.learn(era, spoken, this.#options.clock.monotonic());
    const eras = target.spoken.eras();
    if (before !== spoken && eras && eras.length > 0) this.#options.eraObserver.observed(target.server, eras);
  }

  /** In the background: the call that found the verdict old does not wait for a new one. */
  #askAgainForModern(target: Target, line: Line): void {
    speaksModern(line).then(
      (spoken) => this.#learn(target, "modern", spoken),
      // No answer is no verdict.
      () => undefined,
    );
  }

  #touch(route: Route): void {
    this.#sessions.delete(route);
    this.#sessions.add(route);
  }

  #makeRoom(): void {
    for (const route of this.#sessions) {
      if (this.#sessions.size <= MAX_SESSIONS) return;
      if (route.inFlight === 0) void this.#release(route);
    }
  }

  #makeRoomForStream(origin: string): void {
    const streams = this.ofSession.streamsTo(origin);
    if (streams.length < MAX_STREAMS_PER_ORIGIN) return;
    const unused = streams.find((route) => route.inFlight === 0);
    if (!unused) throw new UpstreamFault("busy", "has too many event streams open", { nothingSent: true });
    void this.#release(unused);
  }

  /** Nobody needs it here any more. */
  async #release(route: Route): Promise<void> {
    this.#forget(route);
    if (await this.#sharing.release(route)) await this.#end(route);
  }

  async #end(route: Route): Promise<void> {
    this.lost(route);
    route.channel?.close();
    if (route.sessionId === undefined) return;
    await endLegacySession(route.line, [...route.headers, ...route.line.extraHeaders]);
  }
}

/** Whose session, and over which line it is opened. */
interface Party {
  readonly owner: string;
  readonly line: Line;
  readonly session: McpSession | undefined;
  /** Same for those who may share one handshake. Never leaves this file: it holds the credential. */
  readonly flight: string;
}

interface OpenSession {
  readonly version: string;
  readonly sessionId: string | undefined;
  readonly logs: boolean;
}

function legacyRoute(target: Target, { owner, line, session: mcpSession }: Party, open: OpenSession): Route {
  const { version, sessionId, logs } = open;
  const own = { owner, mcpSession, version, sessionId, logs };
  return newRoute(target, line, "legacy", legacyHeaders(version, sessionId), own);
}

/** A line of the user's own: what goes over it carries the user's credential. */
function lineFor({ line }: Target, credential: UpstreamCredential | undefined): Line {
  return credential ? { ...line, extraHeaders: credential.headers } : line;
}
