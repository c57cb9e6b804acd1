/** Opens upstream sessions: finds out which transport and era the upstream speaks, and performs the handshake once for all callers that wait for it. */
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { SingleFlight } from "#lib/single-flight";
import type { ClientCapabilities } from "../../envelope/client-capabilities.ts";
import type { SharedSession } from "../../session-ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import type { OpenUnderGrant } from "../calls/under-grant.ts";
import { UpstreamFault } from "../failure.ts";
import type { Discovery } from "../handshake/handshake.ts";
import { otherEra } from "../handshake/spoken-eras.ts";
import { type Endpoint, withCredential } from "../transport/endpoint.ts";
import type { ExchangeLimits } from "../transport/exchange.ts";
import type { ModernTransport, OpenOptions, Transport, UpstreamConnection } from "../transport/transport.ts";
import { notSpoken } from "../transport/transports.ts";
import type { SessionSharing } from "./session-sharing.ts";
import type { SessionSideband } from "./session-sideband.ts";
import {
  type Caller,
  capabilitiesOf,
  type Granted,
  newSession,
  ownerOf,
  type QuestionRecipient,
  type Target,
  type UpstreamSession,
} from "./upstream-session.ts";
import type { UpstreamSessions } from "./upstream-sessions.ts";

export interface SessionOpenerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
  readonly sessions: UpstreamSessions;
  readonly sharing: SessionSharing;
  readonly sideband: SessionSideband;
}

export class SessionOpener {
  readonly #options: SessionOpenerOptions;
  readonly #discovering = new SingleFlight<Discovery>();
  readonly #opening = new SingleFlight<UpstreamSession | undefined>();
  readonly #requests = new Set<OpenRequest>();

  constructor(options: SessionOpenerOptions) {
    this.#options = options;
  }

  /** Tries the caller's era first. Rejects with UpstreamFault. */
  async open(server: ServerEntry, entry: UpstreamEntry, caller: Caller, wanted: Era): Promise<UpstreamSession> {
    const { sessions, clock } = this.#options;
    const target = sessions.target(server, entry);
    const { session: mcpSession, credential, userId, recipient } = caller;
    const [owner, endpoint] = [ownerOf(caller), withCredential(target.endpoint, credential)];
    // Includes the credential: the refusal of an outdated one must not count for a renewed one.
    const flightKey = [target.key, owner, ...endpoint.extraHeaders].join(" ");
    const granted = credential && { userId, grant: credential.grant };
    const request: OpenRequest = {
      ...{ target, owner, granted, endpoint, mcpSession, flightKey },
      recipient: mcpSession ? undefined : recipient,
      grantEnded: false,
    };
    this.#requests.add(request);
    target.recheckTransport(clock.monotonic());
    return this.#openOverFirst(request, wanted).finally(() => this.#requests.delete(request));
  }

  /** Opens a connection for one purpose, outside the pool. */
  openOptions(server: ServerEntry, clientCapabilities?: ClientCapabilities): OpenOptions {
    const { limitsOf, logger } = this.#options;
    return { limits: limitsOf(server), logger, clientCapabilities };
  }

  *underGrants(): Generator<OpenUnderGrant> {
    for (const request of this.#requests) {
      const { granted, target } = request;
      const end = () => Object.assign(request, { grantEnded: true });
      if (granted) yield { ...granted, serverId: target.server.id, end };
    }
  }

  async #openOverFirst(request: OpenRequest, wanted: Era): Promise<UpstreamSession> {
    const { target } = request;
    for (const transport of target.candidates()) {
      const session = await this.#openOver(transport, request, wanted);
      if (session) return session;
    }
    throw new UpstreamFault("bad-answer", notSpoken(target.transports), { nothingSent: true });
  }

  #openOver(transport: Transport, request: OpenRequest, wanted: Era): Promise<UpstreamSession | undefined> {
    if (transport.isSharedByCallers) return this.#openShared(transport, request.target);
    return transport.modern
      ? this.#openInEither(transport, transport.modern, request, wanted)
      : this.#openSession(transport, request);
  }

  async #openShared(transport: Transport, target: Target): Promise<UpstreamSession | undefined> {
    const connection = await transport.open(target.endpoint, this.openOptions(target.server));
    if (!connection) return undefined;
    if (target.shared?.connection !== connection)
      target.shared = newSession(target, connection, { endpoint: target.endpoint });
    return target.shared;
  }

  async #openInEither(
    transport: Transport,
    modern: ModernTransport,
    request: OpenRequest,
    wanted: Era,
  ): Promise<UpstreamSession | undefined> {
    const { eras } = request.target;
    const hadKnownEras = eras.isKnown;
    const session = await this.#openInFirstSpoken(transport, modern, request, wanted);
    if (session) return session;
    eras.forget();
    // The known eras were wrong, so both are tried once more.
    const second = hadKnownEras ? await this.#openInFirstSpoken(transport, modern, request, wanted) : undefined;
    if (!second) eras.forget();
    return second;
  }

  async #openInFirstSpoken(
    transport: Transport,
    modern: ModernTransport,
    request: OpenRequest,
    wanted: Era,
  ): Promise<UpstreamSession | undefined> {
    const { target } = request;
    let discovery: Discovery | undefined;
    for (const era of [wanted, otherEra(wanted)]) {
      if (target.eras.speaks(era) === false) continue;
      if (era === "modern") discovery = await this.#discover(modern, request);
      const session = era === "modern" ? this.#modernSession(target) : await this.#openSession(transport, request);
      // A server that works in the legacy era failed because it does not know the modern one.
      if (session && era === "legacy" && discovery?.failure) this.#options.sessions.learn(target, "modern", false);
      if (session) return session;
    }
    if (discovery?.failure) throw discovery.failure.of({ sent: false });
    return undefined;
  }

  #modernSession({ eras, modern }: Target): UpstreamSession | undefined {
    return eras.speaks("modern") ? modern : undefined;
  }

  /** Undefined if it is known whether the upstream speaks the modern era. */
  async #discover(modern: ModernTransport, request: OpenRequest): Promise<Discovery | undefined> {
    const { target, endpoint, flightKey } = request;
    if (target.eras.speaks("modern") === true) return undefined;
    // A response to a request with a credential may be about that credential only.
    const key = endpoint === target.endpoint ? target.key : flightKey;
    const discovery = await this.#discovering.run(key, () => modern.discover(endpoint));
    if (!discovery.failure) this.#options.sessions.learn(target, "modern", discovery.spoken);
    return discovery;
  }

  #openSession(transport: Transport, request: OpenRequest): Promise<UpstreamSession | undefined> {
    const { flightKey } = request;
    return this.#opening.run(`${transport.label} ${flightKey}`, () =>
      transport.isConnectionBound
        ? this.#openConnectionBound(transport, request)
        : this.#openResumable(transport, request),
    );
  }

  /** Continues the session that another process opened, or opens one and shares it. */
  async #openResumable(transport: Transport, request: OpenRequest): Promise<UpstreamSession | undefined> {
    const { target, owner, mcpSession } = request;
    const { sharing, sideband } = this.#options;
    const found = await sharing.find(target, owner, mcpSession);
    const resumed = await this.#resume(transport, request, found);
    if (resumed) return resumed;
    const session = await this.#handshake(transport, request);
    if (!session) return undefined;
    // A session that was found and could not be resumed stays shared: the new one is used by this process only.
    const earlier = found ? undefined : await this.#resume(transport, request, await sharing.share(session));
    if (earlier) {
      void session.connection.close();
      return earlier;
    }
    await sideband.prepare(session);
    return this.#keep(session, request);
  }

  async #openConnectionBound(transport: Transport, request: OpenRequest): Promise<UpstreamSession | undefined> {
    const { target, owner } = request;
    const open = target.sessions.get(owner);
    if (open?.connection.transport === transport) return open;
    this.#options.sessions.makeRoomForStream(target.endpoint.origin);
    const session = await this.#handshake(transport, request);
    if (!session) return undefined;
    await this.#options.sideband.prepare(session);
    return this.#keep(session, request);
  }

  async #handshake(transport: Transport, request: OpenRequest): Promise<UpstreamSession | undefined> {
    const { target, endpoint } = request;
    const { sessions } = this.#options;
    const connection = await transport.open(endpoint, this.openOptions(target.server, capabilitiesOf(request)));
    if (transport.modern) sessions.learn(target, "legacy", connection !== undefined);
    if (!connection) return undefined;
    sessions.found(target, transport);
    return this.#assign(connection, request);
  }

  async #resume(
    transport: Transport,
    request: OpenRequest,
    shared: SharedSession | undefined,
  ): Promise<UpstreamSession | undefined> {
    if (!shared || !transport.resume) return undefined;
    const { target, endpoint } = request;
    this.#options.sessions.learn(target, "legacy", true);
    const session = this.#assign(transport.resume(endpoint, shared), request);
    session.sharedId = shared.id;
    return (await this.#options.sideband.prepareResumed(session)) ? this.#keep(session, request) : undefined;
  }

  #assign(connection: UpstreamConnection, request: OpenRequest): UpstreamSession {
    const { sessions, sideband } = this.#options;
    const session = newSession(request.target, connection, request);
    connection.assign({
      hasOneClient: session.mcpSession !== undefined,
      acceptsQuestions: capabilitiesOf(session) !== undefined,
      unclaimed: sideband.unclaimed(session),
      onEnd: () => sessions.lost(session),
    });
    return session;
  }

  #keep(session: UpstreamSession, { grantEnded }: OpenRequest): UpstreamSession {
    if (grantEnded) this.#options.sessions.keepForOneCall(session);
    else this.#options.sessions.keep(session);
    return session;
  }
}

interface OpenRequest {
  readonly target: Target;
  readonly owner: string;
  readonly granted: Granted | undefined;
  readonly endpoint: Endpoint;
  readonly mcpSession: McpSession | undefined;
  readonly recipient: QuestionRecipient | undefined;
  /** Equal for callers that may share one handshake. Contains the credential, so it never leaves this file. */
  readonly flightKey: string;
  /** The grant ended while the session was being opened. */
  readonly grantEnded: boolean;
}
