import type { McpSession } from "./sessions.ts";

export interface CancellableCall {
  /** The caller no longer wants the response. */
  cancel(): void;
}

/**
 * The open calls of sessions, so that the caller can cancel one by its id. Calls without a session are not included:
 * several clients of a user may use the same ids.
 */
export class SessionCalls {
  readonly #calls = new Map<string, CancellableCall>();

  add(session: McpSession, rawId: string, call: CancellableCall): void {
    this.#calls.set(keyOf(session, rawId), call);
  }

  delete(session: McpSession, rawId: string, call: CancellableCall): void {
    const key = keyOf(session, rawId);
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }

  /** False if it is not open here. */
  cancel(session: Pick<McpSession, "id">, rawId: string): boolean {
    const call = this.#calls.get(keyOf(session, rawId));
    call?.cancel();
    return call !== undefined;
  }

  /** The open calls of these sessions, by the caller's ids. */
  idsOf(sessionIds: ReadonlySet<string>): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const key of this.#calls.keys()) {
      const at = key.indexOf(" ");
      const sessionId = key.slice(0, at);
      if (!sessionIds.has(sessionId)) continue;
      const ids = found.get(sessionId) ?? [];
      ids.push(key.slice(at + 1));
      found.set(sessionId, ids);
    }
    return found;
  }
}

function keyOf({ id }: Pick<McpSession, "id">, rawId: string): string {
  return `${id} ${rawId}`;
}
