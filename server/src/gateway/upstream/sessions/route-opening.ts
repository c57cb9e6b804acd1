/** Opening the way to an upstream, where it is not known: which era it speaks, over which transport, in which session. */
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { SingleFlight } from "#lib/single-flight";
import type { EraObserver, SharedSession, UpstreamCredential } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { Era, ServerEntry } from "../../snapshot/shape.ts";
import type { OpenUnderGrant } from "../calls/under-grant.ts";
import { UpstreamFault } from "../failure.ts";
import { openSseChannel } from "../handshake/channel-session.ts";
import { endLegacySession, type Line, notSpoken, openLegacySession, speaksModern } from "../handshake/handshake.ts";
import { otherEra } from "../handshake/spoken-eras.ts";
import { legacyHeaders } from "../transport/headers.ts";
import type { LocalServers } from "../transport/local-servers.ts";
import type { ExchangeLimits } from "../transport/post.ts";
import type { SessionCare } from "./session-care.ts";
import type { SessionSharing } from "./session-sharing.ts";
import { type Caller, type Granted, newRoute, ownerOf, type Route, type Target } from "./target.ts";

export interface RouteOpeningNeeds {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly eraObserver: EraObserver;
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
  readonly localServers: LocalServers;
  readonly sharing: SessionSharing;
  readonly care: SessionCare;
  /** Of a session that was opened: calls find it from now on. */
  readonly keep: (route: Route) => Route;
  /** Of one whose grant ended meanwhile: only the call that wanted it uses it. */
  readonly keepForOneCall: (route: Route) => Route;
  readonly lost: (route: Route) => void;
  /** Before one more stream is opened to that origin; throws where there is no room. */
  readonly makeRoomForStream: (origin: string) => void;
}

const SSE_VERDICT_MS = 24 * 60 * 60 * 1000;

export class RouteOpening {
  readonly #needs: RouteOpeningNeeds;
  readonly #discovering = new SingleFlight<boolean>();
  readonly #opening = new SingleFlight<Route | undefined>();
  readonly #parties = new Set<Party>();

  constructor(needs: RouteOpeningNeeds) {
    this.#needs = needs;
  }

  /** Asks the upstream for what is not known yet, the caller's era first. Rejects with UpstreamFault. */
  async open(target: Target, caller: Caller, wanted: Era): Promise<Route> {
    const { session, credential } = caller;
    const [owner, line] = [ownerOf(caller), lineFor(target, credential)];
    // A renewed credential must not wait for what becomes of the one before: its refusal would count as this one's.
    const flight = [target.key, owner, ...line.extraHeaders].join(" ");
    const granted = credential && { userId: caller.userId, grant: credential.grant };
    const party: Party = { owner, granted, serverId: target.server.id, line, session, flight, isOver: false };
    this.#parties.add(party);
    return this.#openFor(target, party, wanted).finally(() => this.#parties.delete(party));
  }

  /** All that is about to be opened under users' grants. */
  *underGrants(): Generator<OpenUnderGrant> {
    for (const party of this.#parties) {
      const { granted, serverId } = party;
      if (granted) yield { ...granted, serverId, end: () => Object.assign(party, { isOver: true }) };
    }
  }

  async #openFor(target: Target, party: Party, wanted: Era): Promise<Route> {
    const { transport } = target.entry;
    if (transport === "stdio") return this.#overStdio(target);
    // A verdict "HTTP+SSE" would never correct itself otherwise.
    const since = this.#needs.clock.monotonic() - target.overChannelSince;
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
      this.learn(target, "modern", spoken);
    }
    return target.spoken.speaks("modern") ? target.modern : undefined;
  }

  #tryLegacy(target: Target, party: Party): Promise<Route | undefined> {
    const { owner, line, session: mcpSession } = party;
    return this.#opening.run(party.flight, async () => {
      const found = await this.#needs.sharing.find(target, owner, mcpSession);
      const taken = await this.#takeOver(target, party, found);
      if (taken) return taken;
      const session = await openLegacySession(line, mcpSession?.capabilities);
      this.learn(target, "legacy", session !== undefined);
      if (!session) return undefined;
      const route = legacyRoute(target, party, { ...session, logs: session.capabilities?.logging !== undefined });
      // What was found and could not be taken over stays where it is: this one is for this process alone.
      const earlier = found ? undefined : await this.#takeOver(target, party, await this.#needs.sharing.share(route));
      if (earlier) {
        void endLegacySession(line, [...route.headers, ...line.extraHeaders]);
        return earlier;
      }
      await this.#needs.care.prepare(route);
      return this.#keep(route, party);
    });
  }

  /** Goes on with what another process has opened, or this one before it was restarted. */
  async #takeOver(target: Target, party: Party, shared: SharedSession | undefined): Promise<Route | undefined> {
    if (!shared) return undefined;
    this.learn(target, "legacy", true);
    const route = legacyRoute(target, party, shared);
    route.sharedId = shared.id;
    return (await this.#needs.care.prepareTaken(route)) ? this.#keep(route, party) : undefined;
  }

  /** Legacy always: the transport is older than the other era. */
  #overSse(target: Target, party: Party): Promise<Route | undefined> {
    const { owner, granted, line, flight, session: mcpSession } = party;
    return this.#opening.run(`sse ${flight}`, async () => {
      const open = target.sessions.get(owner);
      if (open?.channel) return open;
      this.#needs.makeRoomForStream(target.line.origin);
      const { limitsOf, logger } = this.#needs;
      const limits = { ...limitsOf(target.server), logger };
      const channel = await openSseChannel(line, limits, mcpSession?.capabilities);
      if (!channel) return undefined;
      target.foundOverChannel(this.#needs.clock.monotonic());
      const route = newRoute(target, line, "legacy", [], {
        owner,
        granted,
        mcpSession,
        channel,
        logs: channel.capabilities?.logging !== undefined,
      });
      channel.ofOneSession = mcpSession !== undefined;
      channel.aside = this.#needs.care.aside(route);
      channel.onEnd = () => this.#needs.lost(route);
      await this.#needs.care.prepare(route);
      return this.#keep(route, party);
    });
  }

  #keep(route: Route, { isOver }: Party): Route {
    return isOver ? this.#needs.keepForOneCall(route) : this.#needs.keep(route);
  }

  async #overStdio(target: Target): Promise<Route> {
    const channel = await this.#needs.localServers.open(target.entry.url);
    if (target.local?.channel !== channel) target.local = newRoute(target, target.line, channel.era, [], { channel });
    return target.local;
  }

  learn(target: Target, era: Era, spoken: boolean): void {
    const before = target.spoken.speaks(era);
    target.spoken.learn(era, spoken, this.#needs.clock.monotonic());
    const eras = target.spoken.eras();
    if (before !== spoken && eras && eras.length > 0) this.#needs.eraObserver.observed(target.server, eras);
  }

  /** In the background: the call that found the verdict old does not wait for a new one. */
  askAgainForModern(target: Target, line: Line): void {
    speaksModern(line).then(
      (spoken) => this.learn(target, "modern", spoken),
      // No answer is no verdict.
      () => undefined,
    );
  }
}

/** Whose session, and over which line it is opened. */
interface Party {
  readonly owner: string;
  readonly granted: Granted | undefined;
  readonly serverId: string;
  readonly line: Line;
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

function legacyRoute(target: Target, party: Party, open: OpenSession): Route {
  const { owner, granted, line, session: mcpSession } = party;
  const { version, sessionId, logs } = open;
  const own = { owner, granted, mcpSession, version, sessionId, logs };
  return newRoute(target, line, "legacy", legacyHeaders(version, sessionId), own);
}

/** A line of the user's own: what goes over it carries the user's credential. */
export function lineFor({ line }: Target, credential: UpstreamCredential | undefined): Line {
  return credential ? { ...line, extraHeaders: credential.headers } : line;
}
