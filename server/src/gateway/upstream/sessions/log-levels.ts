import { evictOldest } from "#lib/evict-oldest";
import { requestOverChannel } from "../handshake/channel-handshake.ts";
import { requestOptions } from "../handshake/handshake.ts";
import { jsonRpc } from "../transport/json-rpc.ts";
import { sendRequest } from "../transport/request.ts";
import type { UpstreamSession } from "./target.ts";

const MOST_REMEMBERED = 10_000;
/** A server that does not answer must not keep the caller waiting for long. */
const PATIENCE_MS = 3_000;

/** From which level on each mcp session wants to hear the logs of its upstreams. */
export class LogLevels {
  /** By the session's id, the oldest first. */
  readonly #levels = new Map<string, { readonly level: string; readonly at: number }>();

  /** False: it was that before, or was set to something else since: what is read from the database may be old news. */
  set(sessionId: string, level: string, at: number): boolean {
    const known = this.#levels.get(sessionId);
    if (known && (known.level === level || known.at > at)) return false;
    this.#levels.delete(sessionId);
    this.#levels.set(sessionId, { level, at });
    evictOldest(this.#levels, MOST_REMEMBERED);
    return true;
  }

  /** What another process was told. */
  learn(sessionId: string, level: string): void {
    if (!this.#levels.has(sessionId)) this.set(sessionId, level, 0);
  }

  /** Tells the upstream, if it logs and a level was set; whether it obeys is its own affair. */
  async notify({ mcpSession, logs, channel, endpoint, headers }: UpstreamSession): Promise<void> {
    const known = mcpSession && this.#levels.get(mcpSession.id);
    if (!known || !logs) return;
    const { level } = known;
    const id = endpoint.nextId();
    const body = jsonRpc({ id, method: "logging/setLevel", params: { level } });
    try {
      if (channel) await requestOverChannel(channel, endpoint.clock, id, body, PATIENCE_MS);
      else {
        const message = {
          method: "POST",
          path: endpoint.path,
          headers,
          ownHeaders: endpoint.extraHeaders,
          body,
        } as const;
        await sendRequest(endpoint.wire(), message, { ...requestOptions(endpoint, id), deadlineMs: PATIENCE_MS });
      }
    } catch {
      // The call that comes next will find out whether the upstream is there.
    }
  }
}
