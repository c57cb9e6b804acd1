import { evictOldest } from "#lib/evict-oldest";
import type { UpstreamSession } from "./upstream-session.ts";

const MAX_SESSIONS = 10_000;
/** A server that does not respond must not delay the caller for long. */
const DEADLINE_MS = 3_000;

/** The log level that each MCP session requested. */
export class LogLevels {
  /** By session id, oldest first. */
  readonly #levels = new Map<string, { readonly level: string; readonly at: number }>();

  /** False if nothing changed, or a later request is known. Changes that arrive from the database may be outdated. */
  set(sessionId: string, level: string, at: number): boolean {
    const known = this.#levels.get(sessionId);
    if (known && (known.level === level || known.at > at)) return false;
    this.#levels.delete(sessionId);
    this.#levels.set(sessionId, { level, at });
    evictOldest(this.#levels, MAX_SESSIONS);
    return true;
  }

  /** A level that another process recorded. */
  learn(sessionId: string, level: string): void {
    if (!this.#levels.has(sessionId)) this.set(sessionId, level, 0);
  }

  /** Requests the level from an upstream that supports logging. Its response is ignored. */
  async send({ mcpSession, connection }: UpstreamSession): Promise<void> {
    const known = mcpSession && this.#levels.get(mcpSession.id);
    if (!known || !connection.supportsLogging) return;
    try {
      await connection.request("logging/setLevel", { level: known.level }, { deadlineMs: DEADLINE_MS });
    } catch {
      // The next call reports an unreachable upstream.
    }
  }
}
