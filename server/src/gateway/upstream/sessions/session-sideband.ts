import type { UpstreamNotification, UpstreamRequest } from "../../envelope/read-response.ts";
import type { UpstreamAddress } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import type { UnclaimedMessages } from "../transport/channel.ts";
import type { ExchangeLimits } from "../transport/exchange.ts";
import { notify } from "../transport/notify.ts";
import { LogLevels } from "./log-levels.ts";
import { ServerStream } from "./server-stream.ts";
import {
  addressOf,
  type MessageListener,
  type SessionCall,
  type SessionStream,
  type UpstreamSession,
} from "./target.ts";

/** Well below what egress opens to one origin, so that there is always one left to post over. */
export const MAX_STREAMS_PER_ORIGIN = 128;

export interface SessionSidebandNeeds {
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
  readonly end: (route: UpstreamSession) => Promise<void>;
}

/** What the upstream sessions of a caller's session have beside their calls. */
export class SessionSideband {
  readonly #routes: ReadonlySet<UpstreamSession>;
  readonly #needs: SessionSidebandNeeds;
  readonly #levels = new LogLevels();
  #ear: MessageListener | undefined;

  constructor(routes: ReadonlySet<UpstreamSession>, needs: SessionSidebandNeeds) {
    this.#routes = routes;
    this.#needs = needs;
  }

  /** Before the first call: what is said and heard in the session must not depend on which of them comes first. */
  async prepare(route: UpstreamSession): Promise<void> {
    await Promise.all([this.#levels.notify(route), this.#listen(route)]);
  }

  /** The same for a session that another process has opened. False: what is asked in it is heard there, and stays there. */
  async prepareTaken(route: UpstreamSession): Promise<boolean> {
    await this.prepare(route);
    if (!route.stream?.isElsewhere || this.#ear?.reachesOthers) return true;
    route.stream.close();
    return false;
  }

  learnLogLevel(session: Pick<McpSession, "id">, level: string): void {
    this.#levels.learn(session.id, level);
  }

  async notify(session: McpSession, body: Buffer): Promise<void> {
    await Promise.all(this.#of(session).map((route) => notify(route, body)));
  }

  async setLogLevel(session: Pick<McpSession, "id">, level: string, at: number): Promise<void> {
    if (!this.#levels.set(session.id, level, at)) return;
    await Promise.all(this.#of(session).map((route) => this.#levels.notify(route)));
  }

  async end(session: Pick<McpSession, "id">): Promise<void> {
    await Promise.all(this.#of(session).map((route) => this.#needs.end(route)));
  }

  setListener(ear: MessageListener): void {
    this.#ear = ear;
  }

  /** Where what the upstream says in this session goes when none of its calls takes it. */
  unclaimed(route: UpstreamSession): UnclaimedMessages {
    const { mcpSession, target } = route;
    const heard = <Message>(session: McpSession, message: Message) => {
      return { session, server: target.server, from: addressOf(route), message };
    };
    return {
      question: (message) => (mcpSession && this.#ear?.question(heard(mcpSession, message))) ?? false,
      notification: (message) => mcpSession && this.#ear?.notification(heard(mcpSession, message)),
    };
  }

  /** What another process heard in a session of that server. False: no call here takes it. */
  offer(
    session: Pick<McpSession, "id">,
    serverId: string,
    from: UpstreamAddress,
    message: UpstreamRequest | UpstreamNotification,
  ): boolean {
    return this.#of(session).some(
      ({ target, sessionId, stream }) =>
        target.server.id === serverId && sessionId === from.sessionId && stream?.take(message),
    );
  }

  /** What is under way in these sessions. */
  callsOf(sessionIds: ReadonlySet<string>): Map<string, SessionCall[]> {
    const calls = new Map<string, SessionCall[]>();
    for (const { mcpSession, stream, inFlight } of this.#routes) {
      if (inFlight === 0 || !stream || !mcpSession || !sessionIds.has(mcpSession.id)) continue;
      calls.set(mcpSession.id, [...(calls.get(mcpSession.id) ?? []), ...stream.calls]);
    }
    return calls;
  }

  /** Another process is gone: what it had may be had by us. */
  retryStreams(): void {
    for (const { stream } of this.#routes) stream?.retry();
  }

  streamsTo(origin: string): UpstreamSession[] {
    return [...this.#routes].filter((route) => (route.channel || route.stream) && route.endpoint.origin === origin);
  }

  #of({ id }: Pick<McpSession, "id">): UpstreamSession[] {
    return [...this.#routes].filter((route) => route.mcpSession?.id === id);
  }

  /**
   * The stream on which a server says what it has to say in this session alone. Undefined: it cannot be read here, or not
   * by us alone; what another process hears on it would be lost.
   */
  async streamOf(route: UpstreamSession): Promise<SessionStream | undefined> {
    if (this.#ear?.reachesOthers) return undefined;
    if (!route.stream) await this.#openStream(route);
    return route.stream?.isOpen ? route.stream : undefined;
  }

  /** Only where there is somebody to ask. */
  async #listen(route: UpstreamSession): Promise<void> {
    if (Object.keys(route.mcpSession?.capabilities ?? {}).length > 0) await this.#openStream(route);
  }

  /** Only where there is a connection to spare. */
  async #openStream(route: UpstreamSession): Promise<void> {
    const { sessionId, target } = route;
    if (sessionId === undefined) return;
    if (this.streamsTo(target.endpoint.origin).length >= MAX_STREAMS_PER_ORIGIN) return;
    const stream = new ServerStream(route, this.#needs.limitsOf(target.server), this.unclaimed(route));
    route.stream = stream;
    await stream.open();
  }
}
