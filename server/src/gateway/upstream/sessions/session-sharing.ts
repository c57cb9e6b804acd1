import type { SharedPlace, SharedSession, SharedSessions } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { SessionSideband } from "./session-sideband.ts";
import type { Target, UpstreamSession } from "./target.ts";

const TOUCH_MS = 5 * 60 * 1000;

/** Shares the upstream sessions of mcp sessions with other processes; others are nobody else's affair. */
export class SessionSharing {
  readonly #shared: SharedSessions | undefined;
  readonly #sideband: Pick<SessionSideband, "learnLogLevel">;
  #touchedAt: number;

  constructor(shared: SharedSessions | undefined, sideband: Pick<SessionSideband, "learnLogLevel">, now: number) {
    this.#shared = shared;
    this.#sideband = sideband;
    this.#touchedAt = now;
  }

  async find(target: Target, owner: string, mcpSession: McpSession | undefined): Promise<SharedSession | undefined> {
    if (!mcpSession || !this.#shared) return undefined;
    const { session, logLevel } = await this.#shared.find(placeOf(target, owner, mcpSession));
    if (logLevel !== undefined) this.#sideband.learnLogLevel(mcpSession, logLevel);
    return session;
  }

  /** Answers the one that another process has shared meanwhile: that counts instead. */
  async share(route: UpstreamSession): Promise<SharedSession | undefined> {
    const { target, owner, mcpSession, sessionId, version, logs } = route;
    if (!mcpSession || sessionId === undefined || version === undefined) return undefined;
    const counts = await this.#shared?.share(placeOf(target, owner, mcpSession), { sessionId, version, logs });
    if (counts?.sessionId !== sessionId) return counts;
    route.sharedId = counts.id;
    return undefined;
  }

  /** The upstream does not know it any more. */
  lost({ sharedId }: UpstreamSession): void {
    if (sharedId !== undefined) void this.#shared?.lost(sharedId);
  }

  /** Whether the upstream session is to be ended: nobody else uses it. */
  async release({ sharedId }: UpstreamSession): Promise<boolean> {
    return sharedId === undefined || !this.#shared || this.#shared.release(sharedId);
  }

  /** Says now and then which ones are in use. */
  sweep(routes: Iterable<UpstreamSession>, now: number): void {
    if (now - this.#touchedAt < TOUCH_MS) return;
    const ids: string[] = [];
    for (const { sharedId, usedAt } of routes)
      if (sharedId !== undefined && usedAt >= this.#touchedAt) ids.push(sharedId);
    this.#touchedAt = now;
    if (ids.length > 0) void this.#shared?.touch(ids);
  }
}

function placeOf({ server, entry }: Target, owner: string, session: McpSession): SharedPlace {
  const { id: mcpSessionId, userId } = session;
  // The owner names the grant too.
  return { mcpSessionId, userId, serverId: server.id, url: entry.url, grant: owner };
}
