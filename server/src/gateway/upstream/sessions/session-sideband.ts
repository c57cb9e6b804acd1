import type { UpstreamNotification, UpstreamRequest } from "../../envelope/read-response.ts";
import type { UpstreamAddress } from "../../session-ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import type { ExchangeLimits } from "../transport/exchange.ts";
import type { UnclaimedMessages } from "../transport/transport.ts";
import type { LogLevels } from "./log-levels.ts";
import { ServerStream } from "./server-stream.ts";
import {
  addressOf,
  capabilitiesOf,
  type MessageListener,
  type SessionCall,
  type SessionStream,
  type UpstreamSession,
} from "./upstream-session.ts";
import type { UpstreamSessions } from "./upstream-sessions.ts";

export interface SessionSidebandOptions {
  readonly sessions: UpstreamSessions;
  readonly levels: LogLevels;
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
}

/** Everything in upstream sessions that belongs to no call: log levels, server streams, unclaimed messages. */
export class SessionSideband {
  readonly #sessions: UpstreamSessions;
  readonly #levels: LogLevels;
  readonly #limitsOf: (server: ServerEntry) => ExchangeLimits;
  #listener: MessageListener | undefined;

  constructor({ sessions, levels, limitsOf }: SessionSidebandOptions) {
    this.#sessions = sessions;
    this.#levels = levels;
    this.#limitsOf = limitsOf;
  }

  /** Before the first call, so that nothing depends on which call comes first. */
  async prepare(session: UpstreamSession): Promise<void> {
    await Promise.all([this.#levels.send(session), this.#openStreamForRequests(session)]);
  }

  /**
   * The same for a session that another process opened. False: that process receives the requests of the upstream and
   * cannot relay them here.
   */
  async prepareResumed(session: UpstreamSession): Promise<boolean> {
    await this.prepare(session);
    if (!session.stream?.isElsewhere || this.#listener?.reachesOthers) return true;
    session.stream.close();
    return false;
  }

  async notify({ id }: McpSession, body: Buffer): Promise<void> {
    await Promise.all(this.#sessions.ofMcpSession(id).map(({ connection }) => connection.notify(body)));
  }

  async setLogLevel({ id }: Pick<McpSession, "id">, level: string, at: number): Promise<void> {
    if (!this.#levels.set(id, level, at)) return;
    await Promise.all(this.#sessions.ofMcpSession(id).map((session) => this.#levels.send(session)));
  }

  async end({ id }: Pick<McpSession, "id">): Promise<void> {
    await Promise.all(this.#sessions.ofMcpSession(id).map((session) => this.#sessions.end(session)));
  }

  setListener(listener: MessageListener): void {
    this.#listener = listener;
  }

  /** Passes messages that no call claims to the listener. */
  unclaimed(session: UpstreamSession): UnclaimedMessages {
    const { mcpSession, target } = session;
    const received = <Message>(of: McpSession, message: Message) => {
      return { session: of, server: target.server, from: addressOf(session), message };
    };
    return {
      question: (message) => (mcpSession && this.#listener?.question(received(mcpSession, message))) ?? false,
      notification: (message) => mcpSession && this.#listener?.notification(received(mcpSession, message)),
    };
  }

  /** A message that another process received in a session of that server. False if no call here takes it. */
  offer(
    { id }: Pick<McpSession, "id">,
    serverId: string,
    from: UpstreamAddress,
    message: UpstreamRequest | UpstreamNotification,
  ): boolean {
    return this.#sessions
      .ofMcpSession(id)
      .some(
        ({ target, connection, stream }) =>
          target.server.id === serverId && connection.sessionId === from.sessionId && stream?.take(message),
      );
  }

  /** The open calls in these sessions. */
  callsOf(sessionIds: ReadonlySet<string>): Map<string, SessionCall[]> {
    const calls = new Map<string, SessionCall[]>();
    for (const { mcpSession, stream, inFlight } of this.#sessions) {
      if (inFlight === 0 || !stream || !mcpSession || !sessionIds.has(mcpSession.id)) continue;
      calls.set(mcpSession.id, [...(calls.get(mcpSession.id) ?? []), ...stream.calls]);
    }
    return calls;
  }

  /** Another process is gone, so its streams may be available. */
  retryStreams(): void {
    for (const { stream } of this.#sessions) stream?.retry();
  }

  /**
   * The stream on which a server sends the notifications of this session only. Undefined if it is not available here, or
   * other processes may read it, and notifications that they receive would be lost.
   */
  async streamOf(session: UpstreamSession): Promise<SessionStream | undefined> {
    if (this.#listener?.reachesOthers) return undefined;
    if (!session.stream) await this.#openStream(session);
    return session.stream?.isOpen ? session.stream : undefined;
  }

  /** Only when the client declared a capability that lets servers send requests. */
  async #openStreamForRequests(session: UpstreamSession): Promise<void> {
    if (Object.keys(capabilitiesOf(session) ?? {}).length > 0) await this.#openStream(session);
  }

  /** Only when a connection is left for it. */
  async #openStream(session: UpstreamSession): Promise<void> {
    const { connection, target } = session;
    if (connection.sessionId === undefined || !connection.openStream) return;
    if (!this.#sessions.hasRoomForStream(target.endpoint.origin)) return;
    const stream = new ServerStream(session, this.#limitsOf(target.server), this.unclaimed(session));
    session.stream = stream;
    await stream.open();
  }
}
