import type { SharedPlace, SharedSession, SharedSessions } from "../../session-ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { LogLevels } from "./log-levels.ts";
import type { Target, UpstreamSession } from "./upstream-session.ts";

const TOUCH_MS = 5 * 60 * 1000;

/** Shares the upstream sessions of MCP sessions with other processes. Sessions of users without one are not shared. */
export class SessionSharing {
  readonly #shared: SharedSessions | undefined;
  readonly #levels: LogLevels;
  #touchedAt: number;

  constructor(shared: SharedSessions | undefined, levels: LogLevels, now: number) {
    this.#shared = shared;
    this.#levels = levels;
    this.#touchedAt = now;
  }

  async find(target: Target, owner: string, mcpSession: McpSession | undefined): Promise<SharedSession | undefined> {
    if (!mcpSession || !this.#shared) return undefined;
    const { session, logLevel } = await this.#shared.find(placeOf(target, owner, mcpSession));
    if (logLevel !== undefined) this.#levels.learn(mcpSession.id, logLevel);
    return session;
  }

  /** Resolves to the session that another process has shared meanwhile, which is used instead. */
  async share(session: UpstreamSession): Promise<SharedSession | undefined> {
    const { target, owner, mcpSession, connection } = session;
    const { sessionId, version, supportsLogging: logs } = connection;
    if (!mcpSession || sessionId === undefined || version === undefined) return undefined;
    const current = await this.#shared?.share(placeOf(target, owner, mcpSession), { sessionId, version, logs });
    if (current?.sessionId !== sessionId) return current;
    session.sharedId = current.id;
    return undefined;
  }

  /** The upstream no longer knows the session. */
  lost({ sharedId }: UpstreamSession): void {
    if (sharedId !== undefined) void this.#shared?.lost(sharedId);
  }

  /** Resolves to whether the upstream session must be closed: no other process uses it. */
  async release({ sharedId }: UpstreamSession): Promise<boolean> {
    return sharedId === undefined || !this.#shared || this.#shared.release(sharedId);
  }

  /** Records periodically which sessions are in use. */
  sweep(sessions: Iterable<UpstreamSession>, now: number): void {
    if (now - this.#touchedAt < TOUCH_MS) return;
    const ids: string[] = [];
    for (const { sharedId, usedAt } of sessions)
      if (sharedId !== undefined && usedAt >= this.#touchedAt) ids.push(sharedId);
    this.#touchedAt = now;
    if (ids.length > 0) void this.#shared?.touch(ids);
  }
}

function placeOf({ server, entry }: Target, owner: string, session: McpSession): SharedPlace {
  const { id: mcpSessionId, userId } = session;
  // The owner includes the grant.
  return { mcpSessionId, userId, serverId: server.id, url: entry.url, grant: owner };
}
