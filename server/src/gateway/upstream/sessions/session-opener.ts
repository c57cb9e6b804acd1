/** Opening the way to an upstream, where it is not known: which era it speaks, over which transport, in which session. */
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { SingleFlight } from "#lib/single-flight";
import type { EraObserver, SharedSession, UpstreamCredential } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { Era, ServerEntry } from "../../snapshot/shape.ts";
import type { OpenUnderGrant } from "../calls/under-grant.ts";
import { UpstreamFault } from "../failure.ts";
import { openSseChannel } from "../handshake/channel-handshake.ts";
import { type Endpoint, endLegacySession, notSpoken, openLegacySession, speaksModern } from "../handshake/handshake.ts";
import { otherEra } from "../handshake/spoken-eras.ts";
import type { ExchangeLimits } from "../transport/exchange.ts";
import { legacyHeaders } from "../transport/headers.ts";
import type { LocalServers } from "../transport/local-servers.ts";
import type { SessionSharing } from "./session-sharing.ts";
import type { SessionSideband } from "./session-sideband.ts";
import { type Caller, type Granted, newSession, ownerOf, type Target, type UpstreamSession } from "./target.ts";

export interface SessionOpenerNeeds {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly eraObserver: EraObserver;
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
  readonly localServers: LocalServers;
  readonly sharing: SessionSharing;
  readonly sideband: SessionSideband;
  /** Of a session that was opened: calls find it from now on. */
  readonly keep: (route: UpstreamSession) => UpstreamSession;
  /** Of one whose grant ended meanwhile: only the call that wanted it uses it. */
  readonly keepForOneCall: (route: UpstreamSession) => UpstreamSession;
  readonly lost: (route: UpstreamSession) => void;
  /** Before one more stream is opened to that origin; throws where there is no room. */
  readonly makeRoomForStream: (origin: string) => void;
}

const SSE_VERDICT_MS = 24 * 60 * 60 * 1000;

export class SessionOpener {
  readonly #needs: SessionOpenerNeeds;
  readonly #discovering = new SingleFlight<boolean>();
  readonly #opening = new SingleFlight<UpstreamSession | undefined>();
  readonly #requests = new Set<OpenRequest>();

  constructor(needs: SessionOpenerNeeds) {
    this.#needs = needs;
  }

  /** Asks the upstream for what is not known yet, the caller's era first. Rejects with UpstreamFault. */
  async open(target: Target, caller: Caller, wanted: Era): Promise<UpstreamSession> {
    const { session, credential } = caller;
    const [owner, endpoint] = [ownerOf(caller), endpointFor(target, credential)];
    // A renewed credential must not wait for what becomes of the one before: its refusal would count as this one's.
    const flight = [target.key, owner, ...endpoint.extraHeaders].join(" ");
    const granted = credential && { userId: caller.userId, grant: credential.grant };
    const request: OpenRequest = {
      owner,
      granted,
      serverId: target.server.id,
      endpoint,
      session,
      flight,
      isOver: false,
    };
    this.#requests.add(request);
    return this.#openFor(target, request, wanted).finally(() => this.#requests.delete(request));
  }

  /** All that is about to be opened under users' grants. */
  *underGrants(): Generator<OpenUnderGrant> {
    for (const request of this.#requests) {
      const { granted, serverId } = request;
      if (granted) yield { ...granted, serverId, end: () => Object.assign(request, { isOver: true }) };
    }
  }

  async #openFor(target: Target, request: OpenRequest, wanted: Era): Promise<UpstreamSession> {
    const { transport } = target.entry;
    if (transport === "stdio") return this.#overStdio(target);
    // A verdict "HTTP+SSE" would never correct itself otherwise.
    const since = this.#needs.clock.monotonic() - target.overChannelSince;
    if (transport === "both" && since > SSE_VERDICT_MS) target.overChannel = false;
    const route = target.overChannel ? undefined : await this.#overHttp(target, request, wanted);
    if (route) return route;
    const channel = transport === "http" ? undefined : await this.#overSse(target, request);
    if (channel) return channel;
    throw new UpstreamFault("bad-answer", notSpoken(transport), { nothingSent: true });
  }

  async #overHttp(target: Target, request: OpenRequest, wanted: Era): Promise<UpstreamSession | undefined> {
    const believedSomething = target.spoken.isKnown;
    const route = await this.#firstSpoken(target, request, wanted);
    if (route) return route;
    target.spoken.forget();
    // What we believed was wrong: once more from knowing nothing.
    const second = believedSomething ? await this.#firstSpoken(target, request, wanted) : undefined;
    if (!second) target.spoken.forget();
    return second;
  }

  async #firstSpoken(target: Target, request: OpenRequest, wanted: Era): Promise<UpstreamSession | undefined> {
    for (const era of [wanted, otherEra(wanted)]) {
      if (target.spoken.speaks(era) === false) continue;
      const route = await (era === "modern" ? this.#tryModern(target, request) : this.#tryLegacy(target, request));
      if (route) return route;
    }
    return undefined;
  }

  async #tryModern(target: Target, { endpoint, flight }: OpenRequest): Promise<UpstreamSession | undefined> {
    if (target.spoken.speaks("modern") !== true) {
      // With a credential, an answer may be about that alone, and no other user's.
      const key = endpoint === target.endpoint ? target.key : flight;
      const spoken = await this.#discovering.run(key, () => speaksModern(endpoint));
      this.learn(target, "modern", spoken);
    }
    return target.spoken.speaks("modern") ? target.modern : undefined;
  }

  #tryLegacy(target: Target, request: OpenRequest): Promise<UpstreamSession | undefined> {
    const { owner, endpoint, session: mcpSession } = request;
    return this.#opening.run(request.flight, async () => {
      const found = await this.#needs.sharing.find(target, owner, mcpSession);
      const taken = await this.#takeOver(target, request, found);
      if (taken) return taken;
      const session = await openLegacySession(endpoint, mcpSession?.capabilities);
      this.learn(target, "legacy", session !== undefined);
      if (!session) return undefined;
      const route = legacySession(target, request, { ...session, logs: session.capabilities?.logging !== undefined });
      // What was found and could not be taken over stays where it is: this one is for this process alone.
      const earlier = found ? undefined : await this.#takeOver(target, request, await this.#needs.sharing.share(route));
      if (earlier) {
        void endLegacySession(endpoint, [...route.headers, ...endpoint.extraHeaders]);
        return earlier;
      }
      await this.#needs.sideband.prepare(route);
      return this.#keep(route, request);
    });
  }

  /** Goes on with what another process has opened, or this one before it was restarted. */
  async #takeOver(
    target: Target,
    request: OpenRequest,
    shared: SharedSession | undefined,
  ): Promise<UpstreamSession | undefined> {
    if (!shared) return undefined;
    this.learn(target, "legacy", true);
    const route = legacySession(target, request, shared);
    route.sharedId = shared.id;
    return (await this.#needs.sideband.prepareTaken(route)) ? this.#keep(route, request) : undefined;
  }

  /** Legacy always: the transport is older than the other era. */
  #overSse(target: Target, request: OpenRequest): Promise<UpstreamSession | undefined> {
    const { owner, granted, endpoint, flight, session: mcpSession } = request;
    return this.#opening.run(`sse ${flight}`, async () => {
      const open = target.sessions.get(owner);
      if (open?.channel) return open;
      this.#needs.makeRoomForStream(target.endpoint.origin);
      const { limitsOf, logger } = this.#needs;
      const limits = { ...limitsOf(target.server), logger };
      const channel = await openSseChannel(endpoint, limits, mcpSession?.capabilities);
      if (!channel) return undefined;
      target.foundOverChannel(this.#needs.clock.monotonic());
      const route = newSession(target, endpoint, "legacy", [], {
        owner,
        granted,
        mcpSession,
        channel,
        logs: channel.capabilities?.logging !== undefined,
      });
      channel.ofOneSession = mcpSession !== undefined;
      channel.unclaimed = this.#needs.sideband.unclaimed(route);
      channel.onEnd = () => this.#needs.lost(route);
      await this.#needs.sideband.prepare(route);
      return this.#keep(route, request);
    });
  }

  #keep(route: UpstreamSession, { isOver }: OpenRequest): UpstreamSession {
    return isOver ? this.#needs.keepForOneCall(route) : this.#needs.keep(route);
  }

  async #overStdio(target: Target): Promise<UpstreamSession> {
    const channel = await this.#needs.localServers.open(target.entry.url);
    if (target.local?.channel !== channel)
      target.local = newSession(target, target.endpoint, channel.era, [], { channel });
    return target.local;
  }

  learn(target: Target, era: Era, spoken: boolean): void {
    const before = target.spoken.speaks(era);
    target.spoken.learn(era, spoken, this.#needs.clock.monotonic());
    const eras = target.spoken.eras();
    if (before !== spoken && eras && eras.length > 0) this.#needs.eraObserver.observed(target.server, eras);
  }

  /** In the background: the call that found the verdict old does not wait for a new one. */
  askAgainForModern(target: Target, endpoint: Endpoint): void {
    speaksModern(endpoint).then(
      (spoken) => this.learn(target, "modern", spoken),
      // No answer is no verdict.
      () => undefined,
    );
  }
}

/** Whose session, and over which line it is opened. */
interface OpenRequest {
  readonly owner: string;
  readonly granted: Granted | undefined;
  readonly serverId: string;
  readonly endpoint: Endpoint;
  readonly session: McpSession | undefined;
  /** Same for those who may share one handshake. Never leaves this file: it holds the credential. */
  readonly flight: string;
  /** The grant has ended since. */
  readonly isOver: boolean;
}

interface OpenSession {
  readonly version: string;
  readonly sessionId: string | undefined;
  readonly logs: boolean;
}

function legacySession(target: Target, request: OpenRequest, open: OpenSession): UpstreamSession {
  const { owner, granted, endpoint, session: mcpSession } = request;
  const { version, sessionId, logs } = open;
  const own = { owner, granted, mcpSession, version, sessionId, logs };
  return newSession(target, endpoint, "legacy", legacyHeaders(version, sessionId), own);
}

/** A line of the user's own: what goes over it carries the user's credential. */
export function endpointFor({ endpoint }: Target, credential: UpstreamCredential | undefined): Endpoint {
  return credential ? { ...endpoint, extraHeaders: credential.headers } : endpoint;
}
