import type { McpSession } from "../sessions/sessions.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { Aside } from "./channel.ts";
import { LogLevels } from "./log-levels.ts";
import { OwnStream } from "./own-stream.ts";
import type { ExchangeLimits } from "./post.ts";
import { addressOf, type Route, type SessionEar } from "./target.ts";
import { tell } from "./tell.ts";

/** Well below what egress opens to one origin, so that there is always one left to post over. */
export const MAX_STREAMS_PER_ORIGIN = 128;

export interface SessionCareNeeds {
  readonly limitsOf: (server: ServerEntry) => ExchangeLimits;
  readonly end: (route: Route) => Promise<void>;
}

/** What the upstream sessions of a caller's session have beside their calls. */
export class SessionCare {
  readonly #routes: ReadonlySet<Route>;
  readonly #needs: SessionCareNeeds;
  readonly #levels = new LogLevels();
  #ear: SessionEar | undefined;

  constructor(routes: ReadonlySet<Route>, needs: SessionCareNeeds) {
    this.#routes = routes;
    this.#needs = needs;
  }

  /** Before the first call: what is said and heard in the session must not depend on which of them comes first. */
  async prepare(route: Route): Promise<void> {
    await Promise.all([this.#levels.tell(route), this.#listen(route)]);
  }

  /** The same for a session that another process has opened. False: what is asked in it is heard there. */
  async prepareTaken(route: Route): Promise<boolean> {
    await this.prepare(route);
    if (!route.stream?.isElsewhere) return true;
    route.stream.close();
    return false;
  }

  learnLogLevel(session: Pick<McpSession, "id">, level: string): void {
    this.#levels.learn(session.id, level);
  }

  async tell(session: McpSession, body: Buffer): Promise<void> {
    await Promise.all(this.#of(session).map((route) => tell(route, body)));
  }

  async setLogLevel(session: Pick<McpSession, "id">, level: string, at: number): Promise<void> {
    if (!this.#levels.set(session.id, level, at)) return;
    await Promise.all(this.#of(session).map((route) => this.#levels.tell(route)));
  }

  async end(session: Pick<McpSession, "id">): Promise<void> {
    await Promise.all(this.#of(session).map((route) => this.#needs.end(route)));
  }

  hear(ear: SessionEar): void {
    this.#ear = ear;
  }

  /** Where what the upstream says in this session goes when none of its calls takes it. */
  aside(route: Route): Aside {
    const { mcpSession, target } = route;
    return {
      question: (message) =>
        (mcpSession && this.#ear?.question(mcpSession, target.server, message, addressOf(route))) ?? false,
      cancelled: (message) => mcpSession && this.#ear?.cancelled(mcpSession, target.server, message),
    };
  }

  streamsTo(origin: string): Route[] {
    return [...this.#routes].filter((route) => (route.channel || route.stream) && route.line.origin === origin);
  }

  #of({ id }: Pick<McpSession, "id">): Route[] {
    return [...this.#routes].filter((route) => route.mcpSession?.id === id);
  }

  /** Only where there is somebody to ask, and a connection to spare. */
  async #listen(route: Route): Promise<void> {
    const { mcpSession, sessionId, target } = route;
    if (sessionId === undefined || Object.keys(mcpSession?.capabilities ?? {}).length === 0) return;
    if (this.streamsTo(target.line.origin).length >= MAX_STREAMS_PER_ORIGIN) return;
    const stream = new OwnStream(route, this.#needs.limitsOf(target.server), this.aside(route));
    route.stream = stream;
    await stream.open();
  }
}
